// Answers in words and as a chart.

// An element with attributes (or handlers) and children; texts stay texts.
function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    key in made ? (made[key] = value) : made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== ""));
  return made;
}

const digits = (value) => Math.abs(value).toFixed(1);

// A text in which stars make words stand out, as in the notes of a lesson.
const emphasised = (text) => text.split(/\*([^*]+)\*/u).map((part, i) => (i % 2 ? make("em", {}, part) : part));

// A number of votes, guesses, ... with its noun.
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

// The ratio of probabilities, as core/pairlens/studies/compare/wording.py.
function likelier(lead) {
  const times = 2 ** lead;
  if (lead > 20) return "more than a million times as likely";
  if (times < 1.05) return "about equally likely";
  const unit = 10 ** Math.max(Math.floor(Math.log10(times)) - 1, -1);
  const shown =
    times < 10 ? String(Number(times.toFixed(1))) : (Math.round(times / unit) * unit).toLocaleString("en");
  return `about ${shown} times as likely`;
}

function preference(model, lead, names) {
  if (Math.abs(lead) < model.close)
    return `Too close to call: less than ${model.close} bits apart, which the rounded weights of this file may turn.`;
  return `${model.name} prefers ${names[lead > 0 ? 0 : 1]} by ${digits(lead)} bits (${likelier(Math.abs(lead))}).`;
}

// What two sentences got, with what must be said beside it.
function comparison(model, a, b) {
  if (model.same(a, b))
    return [
      make(
        "p",
        { className: "headline" },
        `To ${model.name} both sentences are the same: there is nothing to compare.`,
      ),
    ];
  const found = model.compare(a, b),
    strange = model.unread(a, b),
    shown = [];
  shown.push(make("p", { className: "headline" }, preference(model, found.bits, ["A", "B"])));
  if (strange.length)
    shown.push(
      make(
        "p",
        { className: "warning" },
        `${model.name} has never read ${strange.join(" ")}: what it prefers here says little.`,
      ),
    );
  if (!isMinimal(found.words))
    shown.push(
      make(
        "p",
        { className: "quiet" },
        "Both may be fine: shorter and commoner wording is always likelier. A minimal pair differs in one place.",
      ),
    );
  return [...shown, chart(found.words)];
}

// Rows of words by position: { label, both, A, B }, each with its bits.
function positions(words) {
  const rows = [];
  for (const { position, label, member, bits } of words) {
    rows[position - 1] ||= { label };
    rows[position - 1][member] = bits;
  }
  return rows;
}

// Whether the sentences differ in one place, by as many words, and share one.
function isMinimal(words) {
  const rows = positions(words),
    differs = rows.map(
      ({ label, both, A, B }) => both === undefined && (A === undefined || B === undefined || label.includes(" | ")),
    );
  const places = differs.filter((one, i) => one && !differs[i - 1]).length;
  return (
    places <= 1 &&
    differs.includes(false) &&
    rows.every(({ both, A, B }) => both !== undefined || (A !== undefined && B !== undefined))
  );
}

// A table with a bar per word: to the left where A is the less surprising, to the right where B is.
function chart(words) {
  const rows = positions(words),
    lead = ({ both, A = 0, B = 0 }) => (both === undefined ? B - A : 0);
  const most = Math.max(1, ...rows.map((row) => Math.abs(lead(row))));
  const cell = (value) => make("td", { className: "number" }, value === undefined ? "" : value.toFixed(1));
  const bar = (row) => {
    const made = make("span", { className: lead(row) > 0 ? "bar a" : "bar b" });
    made.style.width = `${(50 * Math.abs(lead(row))) / most}%`;
    return make("td", { className: "track", "aria-hidden": "true" }, made);
  };
  const body = rows.map((row) =>
    make(
      "tr",
      { className: row.both === undefined ? "" : "shared" },
      make("th", { scope: "row" }, row.label),
      cell(row.both ?? row.A),
      cell(row.both ?? row.B),
      bar(row),
    ),
  );
  return make(
    "table",
    { className: "chart" },
    make(
      "caption",
      {},
      "Surprisal of each word in bits: a word that is expected has few. Bars show where one sentence gains.",
    ),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("th", { scope: "col" }, "Word"),
        make("th", { scope: "col", className: "number" }, "● A"),
        make("th", { scope: "col", className: "number" }, "■ B"),
        make(
          "td",
          { className: "sides" },
          make("span", { className: "a" }, "A gains"),
          make("span", { className: "b" }, "B gains"),
        ),
      ),
    ),
    make("tbody", {}, ...body),
  );
}

// Rows of a name, a bar and a number: votes, or probabilities.
function bars(caption, rows) {
  const most = Math.max(...rows.map(({ value }) => value), 1e-9);
  const row = ({ name, value, shown, own, hue = "a" }) => {
    const made = make("span", { className: `bar whole ${hue}` });
    made.style.width = `${(100 * value) / most}%`;
    return make(
      "tr",
      { className: own ? "own" : "" },
      make("th", { scope: "row" }, name),
      make("td", { className: "track", "aria-hidden": "true" }, made),
      make("td", { className: "number" }, shown),
    );
  };
  return make("table", { className: "chart" }, make("caption", {}, caption), make("tbody", {}, ...rows.map(row)));
}
