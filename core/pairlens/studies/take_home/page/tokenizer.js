// Typed text as the model reads it, cut into the tokens of a byte-level tokenizer (core/pairlens/models/byte_pairs.py).

const SPACE = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const PIECES = new RegExp(
  `'(?:s|t|re|ve|m|ll|d)| ?\\p{L}+| ?\\p{N}+| ?[^${SPACE}\\p{L}\\p{N}]+|[${SPACE}]+(?![^${SPACE}])|[${SPACE}]+`,
  "gu",
);

// Typographic variants that the model has never seen become what it has; accents as separate characters are composed.
function prepared(text, { characters, variants }) {
  if (characters === null) return text;
  const known = new Set(characters),
    spaced = { "«": "«\\s?", "»": "\\s?»", "‹": "‹\\s?", "›": "\\s?›" };
  const wanted = Object.keys(variants).map((variant) => spaced[variant] || variant);
  const read = wanted.length
    ? text.replace(new RegExp(wanted.join("|"), "gu"), (found) => variants[found.trim() || found])
    : text;
  return read.replace(/\S+/gu, (chunk) =>
    [...chunk].every((one) => known.has(one)) ? chunk : chunk.normalize("NFC"),
  );
}

class Tokenizer {
  constructor(parts) {
    Object.assign(this, parts);
    this.ids = new Map(Object.entries(parts.alone));
    this.merges = parts.merges.match(/[^ ]+ [^ ]+/gu) || [];
    this.ranks = new Map(this.merges.map((merge, rank) => [merge, rank]));
    this.merges.forEach((merge, rank) => this.ids.set(merge.replace(" ", ""), parts.first + rank));
    const printable = (byte) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    let hidden = 256;
    this.signs = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : hidden++));
    this.known = new Map();
  }

  // The text as it is cut, and its tokens: id, written, and the place in the text of its first character that is no
  // white space, or of the nearest, and that of its last one.
  cut(typed) {
    const text = this.composed ? typed.normalize("NFC") : typed;
    const { signs, places } = this.bytes(text),
      tokens = [];
    let at = 0;
    for (const piece of signs)
      for (const token of this.merged(piece)) {
        const own = places.slice(at, at + token.length);
        tokens.push({ id: this.ids.get(token), token, place: firstOf(text, own), last: own[own.length - 1] });
        at += token.length;
      }
    return { text, tokens };
  }

  // The pieces of a text as byte signs, and for each byte the place of its character.
  bytes(text) {
    const places = [],
      signs = [],
      encoder = new TextEncoder();
    const lead = this.spaced && !text.startsWith(" ") ? [-1] : [],
      origin = [...lead];
    let read = " ".repeat(lead.length),
      place = 0;
    for (const one of text) {
      const low = this.lower_case ? one.toLowerCase() : one;
      read += low;
      for (let i = 0; i < low.length; i++) origin.push(place);
      place += one.length;
    }
    for (const match of read.matchAll(PIECES)) {
      let piece = "",
        at = match.index;
      for (const one of match[0]) {
        for (const byte of encoder.encode(one)) {
          piece += this.signs[byte];
          places.push(origin[at]);
        }
        at += one.length;
      }
      signs.push(piece);
    }
    return { signs, places };
  }

  // The tokens of a piece: of neighbours, those whose merge comes first are joined, again and again.
  merged(piece) {
    if (this.known.has(piece)) return this.known.get(piece);
    const parts = [...piece];
    for (;;) {
      let best = Infinity;
      for (let i = 0; i + 1 < parts.length; i++)
        best = Math.min(best, this.ranks.get(`${parts[i]} ${parts[i + 1]}`) ?? Infinity);
      if (best === Infinity) break;
      const both = this.merges[best];
      for (let i = 0; i + 1 < parts.length; i++)
        if (`${parts[i]} ${parts[i + 1]}` === both) parts.splice(i, 2, parts[i] + parts[i + 1]);
    }
    this.known.set(piece, parts);
    return parts;
  }
}

// As pairlens.text.words.segmentation.first_character, for a token whose bytes are of the characters at these places; -1
// is the space put before the text.
function firstOf(text, places) {
  const own = places.find((place) => place >= 0 && !isSpace(text[place]));
  if (own !== undefined) return own;
  for (let place = Math.max(places[0], 0); place < text.length; place++) if (!isSpace(text[place])) return place;
  return text.trimEnd().length - 1;
}
