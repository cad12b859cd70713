// A causal network like that of core/pairlens/models/plain: pre-norm layers, rotary positions, gated units.
// It keeps what it has read: of a text that begins like the last one, only the rest goes through the layers.

// Rows of x times a matrix (and its bias). Four rows of x and two of the matrix at a time, so that each number is
// read from memory once for several products; the number of rows of both is a multiple of these.
function product({ weights, rows, columns }, x, bias) {
  const n = x.length / columns,
    out = new Float64Array(n * rows);
  for (let t = 0; t < n; t += 4) {
    const a = t * columns,
      b = a + columns,
      c = b + columns,
      d = c + columns;
    for (let row = 0; row < rows; row += 2) {
      const one = row * columns,
        two = one + columns;
      let p = 0,
        q = 0,
        r = 0,
        s = 0,
        pp = 0,
        qq = 0,
        rr = 0,
        ss = 0;
      for (let i = 0; i < columns; i++) {
        const u = weights[one + i],
          v = weights[two + i],
          e = x[a + i],
          f = x[b + i],
          g = x[c + i],
          h = x[d + i];
        p += u * e;
        q += u * f;
        r += u * g;
        s += u * h;
        pp += v * e;
        qq += v * f;
        rr += v * g;
        ss += v * h;
      }
      const to = t * rows + row;
      out[to] = p;
      out[to + 1] = pp;
      out[to + rows] = q;
      out[to + rows + 1] = qq;
      out[to + 2 * rows] = r;
      out[to + 2 * rows + 1] = rr;
      out[to + 3 * rows] = s;
      out[to + 3 * rows + 1] = ss;
    }
  }
  if (bias) for (let i = 0; i < out.length; i++) out[i] += bias[i % rows];
  return out;
}

function dot(one, start, other, begin, size) {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += one[start + i] * other[begin + i];
  return sum;
}

// Root-mean-square normalization of rows.
function normed(x, weight, epsilon) {
  const width = weight.length,
    out = new Float64Array(x.length);
  for (let start = 0; start < x.length; start += width) {
    const scale = 1 / Math.sqrt(dot(x, start, x, start, width) / width + epsilon);
    for (let i = 0; i < width; i++) out[start + i] = x[start + i] * scale * weight[i];
  }
  return out;
}

class Network {
  constructor(shape, parts, ends) {
    Object.assign(this, { shape, parts, ends, ids: [], readings: [] });
    this.ends.kinds = Uint8Array.from(ends.kinds, (kind) => ".sm".indexOf(kind));
    this.output = parts.get("lm_head.weight") || parts.get("embed_tokens.weight");
    const kept = () => new Float64Array(shape.window * shape.groups * shape.headWidth);
    this.keys = Array.from({ length: shape.layers }, kept);
    this.values = Array.from({ length: shape.layers }, kept);
  }

  // What the network says after each token of a row: see `reading`.
  read(ids) {
    let known = 0;
    while (known < ids.length && ids[known] === this.ids[known]) known++;
    this.ids = ids;
    this.readings.length = known;
    if (known < ids.length) this.readings.push(...this.through(ids.slice(known), known));
    return this.readings;
  }

  // Log-probability of a token after a reading.
  logprob(reading, id) {
    return this.logit(reading.state, id) - reading.total;
  }

  logit(state, id) {
    const bias = this.parts.get("lm_head.bias"),
      start = id * this.shape.width,
      { weights } = this.output;
    return state.reduce((sum, number, i) => sum + number * weights[start + i], bias ? bias[id] : 0);
  }

  through(ids, begin) {
    const { width, layers, epsilon } = this.shape,
      embedded = this.parts.get("embed_tokens.weight").weights,
      n = ids.length;
    const x = new Float64Array(4 * Math.ceil(n / 4) * width);
    ids.forEach((id, t) => x.set(embedded.subarray(id * width, (id + 1) * width), t * width));
    for (let layer = 0; layer < layers; layer++) {
      const part = (name) => this.parts.get(`layers.${layer}.${name}`);
      const apply = (name, input) => product(part(`${name}.weight`), input, part(`${name}.bias`));
      const joint = apply("self_attn.joint", normed(x, part("input_layernorm.weight"), epsilon));
      add(x, apply("self_attn.o_proj", this.attended(joint, layer, begin, n)));
      const input = normed(x, part("post_attention_layernorm.weight"), epsilon);
      const gates = apply("mlp.gate_proj", input),
        ups = apply("mlp.up_proj", input);
      for (let i = 0; i < gates.length; i++) gates[i] *= ups[i] / (1 + Math.exp(-gates[i]));
      add(x, apply("mlp.down_proj", gates));
    }
    return this.measured(normed(x, this.parts.get("norm.weight"), epsilon), n);
  }

  // Queries, keys and values of n new tokens: the two latter are kept, each query meets those up to its own place.
  attended(joint, layer, begin, n) {
    const { heads, groups, headWidth: size } = this.shape,
      row = (heads + 2 * groups) * size,
      wide = groups * size;
    const keys = this.keys[layer],
      values = this.values[layer],
      weights = new Float64Array(begin + n);
    const out = new Float64Array((joint.length / row) * heads * size);
    for (let t = 0; t < n; t++) {
      const own = joint.subarray(t * row, (t + 1) * row),
        place = begin + t;
      this.turn(own.subarray(0, (heads + groups) * size), place);
      keys.set(own.subarray(heads * size, (heads + groups) * size), place * wide);
      values.set(own.subarray((heads + groups) * size), place * wide);
      for (let head = 0; head < heads; head++) {
        const from = Math.floor((head * groups) / heads) * size,
          to = (t * heads + head) * size;
        for (let i = 0; i <= place; i++)
          weights[i] = dot(own, head * size, keys, i * wide + from, size) / Math.sqrt(size);
        softmax(weights, place + 1);
        for (let i = 0; i <= place; i++)
          for (let j = 0; j < size; j++) out[to + j] += weights[i] * values[i * wide + from + j];
      }
    }
    return out;
  }

  // Turn neighbouring dimensions of queries and keys by a position.
  turn(rows, position) {
    const rates = this.parts.get("turns");
    for (let i = 0; i < rows.length; i += 2) {
      const angle = Math.fround(position * rates[(i / 2) % rates.length]),
        cos = Math.cos(angle),
        sin = Math.sin(angle);
      const x = rows[i],
        y = rows[i + 1];
      rows[i] = x * cos - y * sin;
      rows[i + 1] = x * sin + y * cos;
    }
  }

  // After each of n states: the state; the logarithms of the sum over all tokens, and of the shares of those that
  // begin with white space or a mark, and of the end of the text.
  measured(states, n) {
    const { width } = this.shape,
      logits = product(this.output, states, this.parts.get("lm_head.bias")),
      size = this.output.rows;
    const { kinds, end } = this.ends,
      found = [];
    for (let t = 0; t < n; t++) {
      const own = logits.subarray(t * size, (t + 1) * size),
        largest = most(own),
        sums = [0, 0, 0];
      for (let id = 0; id < kinds.length; id++) sums[kinds[id]] += Math.exp(own[id] - largest);
      const total = largest + Math.log(sums[0] + sums[1] + sums[2]),
        share = (sum) => Math.log(sum) + largest - total;
      found.push({
        state: states.slice(t * width, (t + 1) * width),
        total,
        space: share(sums[1]),
        mark: share(sums[2]),
        end: own[end] - total,
      });
    }
    return found;
  }
}

function add(x, other) {
  for (let i = 0; i < x.length; i++) x[i] += other[i];
}

function most(numbers) {
  let largest = -Infinity;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] > largest) largest = numbers[i];
  return largest;
}

// The weights of n scores: shares that add up to 1.
function softmax(scores, n) {
  let largest = -Infinity,
    sum = 0;
  for (let i = 0; i < n; i++) if (scores[i] > largest) largest = scores[i];
  for (let i = 0; i < n; i++) sum += scores[i] = Math.exp(scores[i] - largest);
  for (let i = 0; i < n; i++) scores[i] /= sum;
}
