// Texts into log-probabilities of tokens and words, by the policy "pairlens": after the start symbol, summed, with
// the ends of words counted (core/pairlens/text/words/values.py).

class Model {
  constructor(described, weights) {
    Object.assign(this, described);
    this.tokenizer = new Tokenizer(described.tokenizer);
    const { ends: kinds, end } = described.tokenizer;
    this.network = new Network(described.shape, unpacked(weights, described.parts), { kinds, end });
  }

  // A text as the model reads it, its tokens with their log-probabilities in nats, and what the network said before
  // each token and after the last.
  score(typed) {
    const { text, tokens } = this.tokenizer.cut(prepared(typed, this));
    if (!text.trim()) throw new Error("There is nothing to read: type a sentence.");
    const { start, framed } = this.tokenizer,
      own = tokens.map(({ id }) => id),
      head = framed ? [start] : [],
      ids = framed ? own : [start, ...own],
      points = [];
    const { window: size } = this.shape,
      step = Math.max(1, Math.min(Math.floor(size / 2), size - head.length - 1));
    for (const [begin, end, fresh] of windows(ids.length, size - head.length, step)) {
      const readings = this.network.read([...head, ...ids.slice(begin, end)]);
      const before = head.length - 1 - begin;
      for (let place = Math.max(fresh, 1 - head.length); place < end; place++)
        points[place + own.length - ids.length] = readings[before + place];
      if (end === ids.length) points[own.length] = readings[before + end];
    }
    tokens.forEach((token, i) => (token.logprob = this.network.logprob(points[i], token.id)));
    return { text, tokens, points };
  }

  // The words of a scored text, with their surprisal in bits.
  words(scored) {
    const edges = edgesOf(scored, false);
    return wordsOf(scored.text, scored.tokens).map(({ start, end, tokens }) => {
      return { word: scored.text.slice(start, end), bits: -bits(valueOf(scored, tokens, edges)) };
    });
  }

  // The lead of A over B in bits, and a row per word: before the first difference one for both, then one for each.
  compare(a, b) {
    const both = [a, b].map((typed) => this.score(typed)),
      [first, second] = both.map((scored) => this.words(scored));
    const totals = both.map(({ tokens }) => tokens.reduce((sum, { logprob }) => sum + logprob, 0)),
      words = [];
    let shared = true;
    aligned(
      first.map(({ word }) => word),
      second.map(({ word }) => word),
    ).forEach(([i, j], place) => {
      const [one, other] = [first[i], second[j]],
        label =
          one && other && one.word === other.word
            ? one.word
            : `${one ? one.word : "–"} | ${other ? other.word : "–"}`;
      shared &&= Boolean(one && other && one.word === other.word);
      const row = (member, own) => own && words.push({ position: place + 1, label, member, ...own });
      row(shared ? "both" : "A", one);
      if (!shared) row("B", other);
    });
    return { bits: bits(totals[0] - totals[1]), words };
  }

  // The log-probabilities in bits of forms after a step's prefix, each with the end of its word, unless the next word
  // touches it (`open`): after a word that has ended if a space stands before all forms, and from the prefix's last
  // word on if a form shares a token with it (core/pairlens/studies/next_word/forms.py).
  forms({ prefix, joint, open = [] }, forms, touching) {
    const read = forms.map((form) => {
      const one = followed(prefix, joint, form, touching),
        scored = this.score(prefix + one);
      return { form, one, scored, reach: scored.text.length - prepared(one, this).length };
    });
    const across = read.some(({ scored, reach }) =>
      scored.tokens.some(({ place, last }) => place < reach && last >= reach),
    );
    const spaced = across ? isSpace(prefix.match(/(?:^|.)\S+$/su)[0][0]) : read.every(({ one }) => isSpace(one[0]));
    return read.map(({ form, scored, reach }) => {
      const from = across ? scored.text.slice(0, reach).search(/\S+$/u) : reach,
        own = scored.tokens.flatMap(({ place }, number) => (place >= from ? [number] : [])),
        edges = edgesOf(scored, true);
      if (!spaced) edges[own[0]] = NaN;
      if (open.includes(form)) edges[edges.length - 1] = NaN;
      return bits(valueOf(scored, own, edges));
    });
  }

  // The signs of texts that the model has never read.
  unread(...texts) {
    if (this.characters === null) return [];
    const signs = new Set(texts.flatMap((text) => [...prepared(text, this)])),
      known = new Set(this.characters);
    const low = (sign) => (this.tokenizer.lower_case ? sign.toLowerCase() : sign);
    return [...signs].filter(
      (sign) => !/[\p{M}\p{Z}\p{C}]/u.test(sign) && ![...low(sign)].every((one) => known.has(one)),
    );
  }

  // Whether two texts are the same to the model.
  same(a, b) {
    const [one, other] = [a, b].map((typed) =>
      this.tokenizer
        .cut(prepared(typed, this))
        .tokens.map(({ id }) => id)
        .join(),
    );
    return one === other;
  }
}

// A form as it follows a prefix, as core/pairlens/text/joining.py.
function followed(prefix, joint, form, touching) {
  const mark = form.match(/^(?:_(?=.)|\+(?=\p{L}))/u);
  if (mark) return (mark[0] === "_" ? " " : "") + form.slice(1);
  const opener = { "“": "„", "‘": "‚", "«": "»", "‹": "›" }[form[0]],
    times = (sign) => prefix.split(sign).length - 1,
    closes = form[0] === '"' ? times('"') % 2 === 1 : opener && times(opener) > times(form[0]),
    unspaced = unspacedLetter(form, 0, 1) && !isSegmented(prefix),
    touches = closes || new RegExp(`^(?:${touching})`, "iu").test(form) || unspaced;
  return (touches ? "" : joint) + form;
}

const bits = (nats) => nats / Math.LN2;

// Windows over the tokens of a text, as core/pairlens/scorers/_windows.py: start, end, the first that is in no earlier one.
function* windows(total, size, step) {
  let start = 0,
    end = Math.min(total, size);
  yield [start, end, 0];
  while (end < total) {
    const fresh = end;
    start += step;
    end = Math.min(total, start + size);
    yield [end - size, end, fresh];
  }
}

function valueOf({ tokens }, own, edges) {
  const counted = (edge) => (Number.isNaN(edge) ? 0 : edge);
  const sum = own.reduce((total, number) => total + tokens[number].logprob, 0);
  return own.length ? sum + counted(edges[own[own.length - 1] + 1]) - counted(edges[own[0]]) : NaN;
}

// Before each token and after the last: the log mass of what ends a word, NaN where no edge of a word is counted.
// `parted`: a mark ends the word before it.
function edgesOf({ text, tokens, points }, parted) {
  const begin = text.length - text.trimStart().length,
    end = text.trimEnd().length;
  let last = -1;
  return points.map(({ space, mark, end: over }, i) => {
    const first = i < tokens.length ? tokens[i].place : end,
      edge = first > last && isEdge(text, first, parted);
    last = Math.max(first, last);
    if (!edge) return NaN;
    return first === begin ? 0 : Math.log(Math.exp(space) + Math.exp(over) + (parted ? Math.exp(mark) : 0));
  });
}

function isEdge(text, first, parted) {
  if (unspacedLetter(text, first - 1, -1) || unspacedLetter(text, first, 1)) return false;
  if (first === 0 || first === text.length || isSpace(text[first]) || isSpace(text[first - 1])) return true;
  return parted && isMark(text[first]) && !SPLITTERS.has(text[first]);
}
