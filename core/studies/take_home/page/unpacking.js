// The weights, from the text that core/studies/take_home/packing.py writes: numbers to the base 93.

const BASE = 93, LEVELS = 953, FINENESS = 360, SMALLEST = -20;

class Unpacking {
  constructor(text) {
    this.text = text;
    this.place = 0;
  }

  // The next number of so many digits; digits are the printable characters of ASCII but for "<".
  number(digits) {
    let found = 0;
    for (let i = 0; i < digits; i++) {
      const code = this.text.charCodeAt(this.place++);
      found = found * BASE + (code > 60 ? code - 34 : code - 33);
    }
    return found;
  }

  vector(size) {
    const found = new Uint32Array(size);
    for (let i = 0; i < size; i++) found[i] = this.number(5);
    return new Float32Array(found.buffer);
  }

  // Rows of whole numbers, three of them in five digits, times a step per row.
  matrix(rows, columns) {
    const steps = new Float64Array(rows), weights = new Float32Array(rows * columns), side = 2 * LEVELS + 1;
    for (let row = 0; row < rows; row++) steps[row] = 2 ** (SMALLEST + this.number(2) / FINENESS);
    for (let i = 0; i < weights.length; i += 3) {
      let three = this.number(5);
      for (let j = 2; j >= 0; j--) {
        const rest = Math.floor(three / side);
        if (i + j < weights.length) weights[i + j] = (three - rest * side - LEVELS) * steps[Math.floor((i + j) / columns)];
        three = rest;
      }
    }
    return { weights, rows, columns };
  }
}

// All parts by name: `listed` has [name, rows, columns] of matrices and [name, size] of vectors, in their order.
function unpacked(text, listed) {
  const from = new Unpacking(text);
  return new Map(listed.map(([name, rows, columns]) => [name, columns ? from.matrix(rows, columns) : from.vector(rows)]));
}
