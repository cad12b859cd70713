// The words of a text, and the words of two texts side by side: as core/pairlens/text/words and core/pairlens/analysis/contrast.py.

const JOINERS = new Set("'’ʼ＇-‐‑.,:/_&@·・"),
  SPLITTERS = new Set("'’ʼ＇-‐‑");
const UNSPACED =
  /[々〇\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{323af}]/u;

const GAP = new RegExp(
  `(?<=${UNSPACED.source})(?:[^\\p{L}\\p{N}\u3099\u309a])+(?=${UNSPACED.source})`,
  "gu",
);

const isSpace = (sign) => /[\s\x1c-\x1f\x85]/u.test(sign) && sign !== "\ufeff";
const isMark = (sign) => /\p{P}/u.test(sign);
const isUnspaced = (sign) => UNSPACED.test(sign) && !isMark(sign);

// The stretches of a text without white space, as [start, end].
function chunksOf(text) {
  const found = [];
  for (let place = 0, start = -1; place <= text.length; place++) {
    const inside = place < text.length && !isSpace(text[place]);
    if (inside && start < 0) start = place;
    if (!inside && start >= 0) {
      found.push([start, place]);
      start = -1;
    }
  }
  return found;
}

// Whether the author cut a text of a script without spaces into words, as core/pairlens/text/words/segmentation.py.
function isSegmented(text) {
  const gaps = text.match(GAP) ?? [],
    spaces = gaps.filter((gap) => [...gap].every(isSpace) && !gap.includes("\n")).length;
  return spaces > 0 && 2 * spaces >= gaps.length;
}

// A text cut at white space, around marks and around the characters of scripts without spaces.
function segments(text) {
  const characters = !isSegmented(text);
  return chunksOf(text).flatMap(([begin, end]) => {
    const signs = [...text.slice(begin, end)],
      found = [];
    let at = begin;
    signs.forEach((sign, place) => {
      if (!place || cutBefore(signs, place, characters)) found.push({ start: at, end: at, mark: isMark(sign) });
      at += sign.length;
      found[found.length - 1].end = at;
    });
    return found;
  });
}

function cutBefore(signs, place, characters) {
  const left = signs[place - 1],
    right = signs[place];
  if (/\p{M}/u.test(right)) return false;
  if (characters && (isUnspaced(left) || isUnspaced(right))) return true;
  const leftMark = isMark(left) && !joins(signs, place - 1, characters),
    rightMark = isMark(right) && !joins(signs, place, characters);
  return leftMark && rightMark ? left !== right : leftMark !== rightMark;
}

// Whether the mark at this place joins two parts of one word.
function joins(signs, place, characters) {
  if (!JOINERS.has(signs[place]) || place === 0 || place + 1 === signs.length) return false;
  return ![signs[place - 1], signs[place + 1]].some((side) => isMark(side) || (characters && isUnspaced(side)));
}

// For each segment the one that heads its word: marks belong to the word before them, opening ones to the next.
function heads(text, found) {
  if (found.every((segment) => segment.mark)) return found.map(() => 0);
  const order = found.map((_, i) => i),
    before = nearest(found, order),
    after = nearest(found, [...order].reverse()),
    own = [...order];
  found.forEach(({ start, mark }, i) => {
    if (!mark) return;
    const opens = /[\p{Ps}\p{Pi}]/u.test(text[start]),
      opening = after[i].touches && (opens || !before[i].touches);
    const forward =
      opening || (!before[i].touches && opens) || (i > 0 && found[i - 1].mark && own[i - 1] === after[i].word);
    own[i] = after[i].word >= 0 && (forward || before[i].word < 0) ? after[i].word : before[i].word;
  });
  return own;
}

// For each segment the last word met in this order, and whether only marks and no space lie between.
function nearest(found, order) {
  const near = [];
  let word = -1,
    touches = false;
  order.forEach((i, step) => {
    const last = order[step - 1];
    if (step) touches = touches && found[Math.min(i, last)].end === found[Math.max(i, last)].start;
    near[i] = { word, touches };
    if (!found[i].mark) [word, touches] = [i, true];
  });
  return near;
}

// The words of a text that tokens begin, with the tokens of each: as [start, end] and numbers of tokens.
function wordsOf(text, tokens) {
  const found = segments(text),
    own = heads(text, found),
    spans = new Map();
  own.forEach((head, i) => {
    const [start, end] = spans.get(head) || [found[i].start, 0];
    spans.set(head, [Math.min(start, found[i].start), Math.max(end, found[i].end)]);
  });
  const members = new Map();
  tokens.forEach(({ place }, number) => {
    const head = own[found.findIndex(({ start, end }) => start <= place && place < end)];
    if (head !== undefined) members.set(head, [...(members.get(head) || []), number]);
  });
  const all = [...spans.keys()].sort((a, b) => a - b),
    begun = all.filter((head) => members.has(head));
  return begun.map((head, i) => {
    const last = all[(i + 1 < begun.length ? all.indexOf(begun[i + 1]) : all.length) - 1];
    return { start: spans.get(head)[0], end: spans.get(last)[1], tokens: members.get(head) };
  });
}

// Whether the nearest letter from here, over marks and white space, is of a script without spaces.
function unspacedLetter(text, place, step) {
  while (text[place] !== undefined && (isSpace(text[place]) || isMark(text[place]))) place += step;
  return text[place] !== undefined && isUnspaced(text[place]);
}

// Positions of two lists of words side by side: pairs of numbers, -1 where only the other has a word.
function aligned(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  const found = Array.from({ length: start }, (_, i) => [i, i]);
  let [i, j] = [start, start];
  for (const [x, y, size] of [...matches(a, b, start, a.length, start, b.length), [a.length, b.length, 0]]) {
    for (; i < x || j < y; i++, j++) found.push([i < x ? i : -1, j < y ? j : -1]);
    for ([i, j] = [x, y]; i < x + size; i++, j++) found.push([i, j]);
  }
  return found;
}

// Blocks of equal words: the longest, the earliest of those, and likewise on either side (as Python's difflib).
function matches(a, b, low, high, from, to) {
  let best = [low, from, 0],
    lengths = new Map();
  for (let i = low; i < high; i++) {
    const next = new Map();
    for (let j = from; j < to; j++)
      if (a[i] === b[j]) {
        const size = (lengths.get(j - 1) || 0) + 1;
        next.set(j, size);
        if (size > best[2]) best = [i - size + 1, j - size + 1, size];
      }
    lengths = next;
  }
  const [x, y, size] = best;
  return size ? [...matches(a, b, low, x, from, y), best, ...matches(a, b, x + size, high, y + size, to)] : [];
}
