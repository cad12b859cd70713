// A causal network like that of core/models/plain: pre-norm layers, rotary positions, gated units.
// It keeps what it has read: of a text that begins like the last one, only the rest goes through the layers.

// Rows of x, n of them, times a matrix (and its bias): four rows share each weight that is read from memory.
function product({ weights, rows, columns }, x, n, bias) {
  const out = new Float32Array(n * rows);
  let t = 0;
  for (; t + 4 <= n; t += 4) {
    const a = t * columns, b = a + columns, c = b + columns, d = c + columns;
    for (let row = 0, place = 0; row < rows; row++) {
      let p = 0, q = 0, r = 0, s = 0;
      for (let i = 0; i < columns; i++) {
        const weight = weights[place++];
        p += weight * x[a + i];
        q += weight * x[b + i];
        r += weight * x[c + i];
        s += weight * x[d + i];
      }
      out[t * rows + row] = p;
      out[(t + 1) * rows + row] = q;
      out[(t + 2) * rows + row] = r;
      out[(t + 3) * rows + row] = s;
    }
  }
  for (; t < n; t++) for (let row = 0; row < rows; row++) out[t * rows + row] = dot(weights, row * columns, x, t * columns, columns);
  if (bias) for (let i = 0; i < out.length; i++) out[i] += bias[i % rows];
  return out;
}

function dot(one, start, other, begin, size) {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += one[start + i] * other[begin + i];
  return sum;
}

// Root-mean-square normalization of n rows.
function normed(x, n, weight, epsilon) {
  const width = weight.length, out = new Float32Array(x.length);
  for (let t = 0; t < n; t++) {
    const scale = 1 / Math.sqrt(dot(x, t * width, x, t * width, width) / width + epsilon);
    for (let i = 0; i < width; i++) out[t * width + i] = x[t * width + i] * scale * weight[i];
  }
  return out;
}

class Network {
  constructor(shape, parts, ends) {
    Object.assign(this, { shape, parts, ends, ids: [], readings: [] });
    this.output = parts.get("lm_head.weight") || parts.get("embed_tokens.weight");
    const kept = () => new Float32Array(shape.window * shape.groups * shape.headWidth);
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
    const bias = this.parts.get("lm_head.bias");
    return dot(this.output.weights, id * this.shape.width, state, 0, this.shape.width) + (bias ? bias[id] : 0);
  }

  through(ids, begin) {
    const { width, layers, epsilon } = this.shape, n = ids.length, embedded = this.parts.get("embed_tokens.weight").weights;
    const x = new Float32Array(n * width);
    ids.forEach((id, t) => x.set(embedded.subarray(id * width, (id + 1) * width), t * width));
    for (let layer = 0; layer < layers; layer++) {
      const part = (name) => this.parts.get(`layers.${layer}.${name}`);
      const apply = (name, input) => product(part(`${name}.weight`), input, n, part(`${name}.bias`));
      const joint = apply("self_attn.joint", normed(x, n, part("input_layernorm.weight"), epsilon));
      const mixed = apply("self_attn.o_proj", this.attended(joint, layer, begin, n));
      for (let i = 0; i < x.length; i++) x[i] += mixed[i];
      const input = normed(x, n, part("post_attention_layernorm.weight"), epsilon);
      const gates = apply("mlp.gate_proj", input), ups = apply("mlp.up_proj", input);
      for (let i = 0; i < gates.length; i++) gates[i] *= ups[i] / (1 + Math.exp(-gates[i]));
      const out = apply("mlp.down_proj", gates);
      for (let i = 0; i < x.length; i++) x[i] += out[i];
    }
    return this.measured(normed(x, n, this.parts.get("norm.weight"), epsilon), n);
  }

  // Queries, keys and values of n new tokens: the two latter are kept, each query meets those up to its own place.
  attended(joint, layer, begin, n) {
    const { heads, groups, headWidth: size } = this.shape, row = (heads + 2 * groups) * size, wide = groups * size;
    const keys = this.keys[layer], values = this.values[layer], out = new Float32Array(n * heads * size);
    for (let t = 0; t < n; t++) {
      const own = joint.subarray(t * row, (t + 1) * row), place = begin + t;
      this.turn(own.subarray(0, (heads + groups) * size), place);
      keys.set(own.subarray(heads * size, (heads + groups) * size), place * wide);
      values.set(own.subarray((heads + groups) * size), place * wide);
      for (let head = 0; head < heads; head++) {
        const from = Math.floor((head * groups) / heads) * size, to = (t * heads + head) * size;
        const weights = softmax(place + 1, (i) => dot(own, head * size, keys, i * wide + from, size) / Math.sqrt(size));
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
      const angle = Math.fround(position * rates[(i / 2) % rates.length]), cos = Math.cos(angle), sin = Math.sin(angle);
      const x = rows[i], y = rows[i + 1];
      rows[i] = x * cos - y * sin;
      rows[i + 1] = x * sin + y * cos;
    }
  }

  // After each of n states: the state; the logarithms of the sum over all tokens, and of the shares of those that begin
  // with white space or a mark, and of the end of the text.
  measured(states, n) {
    const { width } = this.shape, logits = product(this.output, states, n, this.parts.get("lm_head.bias")), rows = this.output.rows;
    return Array.from({ length: n }, (_, t) => {
      const own = logits.subarray(t * rows, (t + 1) * rows), state = states.slice(t * width, (t + 1) * width);
      const largest = own.reduce((a, b) => Math.max(a, b)), sums = { s: 0, m: 0, all: 0 };
      for (let id = 0; id < rows; id++) {
        const mass = Math.exp(own[id] - largest), kind = this.ends.kinds[id];
        sums.all += mass;
        if (kind === "s" || kind === "m") sums[kind] += mass;
      }
      const share = (sum) => Math.log(sum / sums.all);
      return { state, total: largest + Math.log(sums.all), space: share(sums.s), mark: share(sums.m),
        end: own[this.ends.end] - largest - Math.log(sums.all) };
    });
  }
}

function softmax(n, score) {
  const found = Float64Array.from({ length: n }, (_, i) => score(i)), largest = found.reduce((a, b) => Math.max(a, b));
  let sum = 0;
  for (let i = 0; i < n; i++) sum += found[i] = Math.exp(found[i] - largest);
  for (let i = 0; i < n; i++) found[i] /= sum;
  return found;
}
