// The weights, from the text that core/pairlens/studies/take_home/making.py writes: numbers to the base 93.

const BASE = 93,
  LEVELS = 953,
  SIDE = 2 * LEVELS + 1,
  FINENESS = 360,
  SMALLEST = -20;

class Unpacking {
  constructor(text) {
    this.codes = new TextEncoder().encode(text);
    this.place = 0;
  }

  // The next numbers, of so many digits each; digits are the printable characters of ASCII but for "<".
  numbers(count, digits) {
    const found = new Float64Array(count),
      codes = this.codes;
    let place = this.place;
    for (let i = 0; i < count; i++) {
      let number = 0;
      for (let j = 0; j < digits; j++) {
        const code = codes[place++];
        number = number * BASE + code - (code > 60 ? 34 : 33);
      }
      found[i] = number;
    }
    this.place = place;
    return found;
  }

  vector(size) {
    return new Float32Array(Uint32Array.from(this.numbers(size, 5)).buffer);
  }

  // Rows of whole numbers, three of them in five digits, times a step per row, then rows that were not rounded; an odd
  // number of rows gets one of zeros.
  matrix(rows, columns, exact) {
    const steps = this.numbers(rows, 2).map((exponent) => 2 ** (SMALLEST + exponent / FINENESS));
    const threes = this.numbers(Math.ceil((rows * columns) / 3), 5),
      levels = new Int16Array(3 * threes.length);
    for (let i = 0; i < threes.length; i++) {
      const first = (threes[i] / (SIDE * SIDE)) | 0,
        rest = threes[i] - first * SIDE * SIDE,
        second = (rest / SIDE) | 0;
      levels[3 * i] = first - LEVELS;
      levels[3 * i + 1] = second - LEVELS;
      levels[3 * i + 2] = rest - second * SIDE - LEVELS;
    }
    const even = rows + (rows % 2),
      weights = new Float32Array(even * columns);
    for (let row = 0, place = 0; row < rows; row++) {
      const step = steps[row];
      for (let i = 0; i < columns; i++, place++) weights[place] = levels[place] * step;
    }
    for (const row of exact) weights.set(this.vector(columns), row * columns);
    return { weights, rows: even, columns };
  }
}

// All parts by name: `listed` has [name, rows, columns, unrounded rows] of matrices and [name, size] of vectors, in
// their order.
function unpacked(text, listed) {
  const from = new Unpacking(text);
  return new Map(
    listed.map(([name, rows, columns, ...exact]) => [
      name,
      columns ? from.matrix(rows, columns, exact) : from.vector(rows),
    ]),
  );
}
