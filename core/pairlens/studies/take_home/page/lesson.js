// The lesson: one step at a time; first a guess, then the answer, then what to notice.

function showLesson({ lesson }, ready) {
  const place = document.getElementById("step"),
    progress = document.getElementById("progress");
  const steps = lesson.steps.map((step) => ({ forms: [], likeliest: [], votes: {}, joint: "", open: [], ...step }));
  const guesses = new Map();
  let at = 0;

  const go = (to) => {
    at = Math.max(0, Math.min(steps.length - 1, to));
    history.replaceState(null, "", `#${at + 1}`);
    show();
    place.querySelector("h2").focus({ preventScroll: true });
    place.scrollIntoView({ block: "start" });
  };
  const back = make("button", { type: "button", onclick: () => go(at - 1) }, "Back");
  const next = make("button", { type: "button", onclick: () => go(at + 1) }, "Next");
  document.getElementById("moves").append(back, progress, next);

  function show() {
    const step = steps[at];
    progress.textContent = `${at + 1} of ${steps.length}`;
    [back.disabled, next.disabled] = [at === 0, at === steps.length - 1];
    place.replaceChildren(asked(step));
    if (guesses.has(at)) reveal(step, guesses.get(at));
  }

  // The question with its choices; the answer comes once there is a guess.
  function asked(step) {
    const choices = step.pair ? ["A", "B"] : step.forms,
      free = !choices.length;
    const button = make("button", { type: "submit", className: "main", disabled: true }, "Show the answer");
    const enable = () => (button.disabled = !guessed(form, free));
    const form = make("form", {
      oninput: enable,
      onsubmit: (event) => {
        event.preventDefault();
        guesses.set(at, guessed(form, free));
        reveal(step, guesses.get(at));
      },
    });
    const usual = step.pair ? "Which sentence is better?" : "Which word comes next?";
    form.append(
      make("h2", { tabIndex: -1 }, step.question || usual),
      step.pair ? "" : make("p", { className: "sentence prefix" }, `${step.prefix} …`),
    );
    if (free)
      form.append(
        make(
          "label",
          {},
          "Your guess ",
          make("input", {
            name: "guess",
            type: "text",
            autocomplete: "off",
            autocapitalize: "off",
            lang: lesson.language,
          }),
        ),
      );
    else
      form.append(
        make(
          "fieldset",
          {},
          make("legend", { className: "unseen" }, step.question || usual),
          ...choices.map((choice, i) => choiceOf(step, choice, i)),
        ),
      );
    form.append(make("p", {}, button));
    return form;
  }

  function choiceOf(step, choice, i) {
    const mark = step.pair ? make("span", { className: `mark ${"ab"[i]}` }, `${"●■"[i]} ${choice}`) : "";
    return make(
      "label",
      { className: "choice" },
      make("input", { type: "radio", name: "guess", value: choice }),
      mark,
      make("span", { className: "sentence", lang: lesson.language, dir: "auto" }, step.pair ? step.pair[i] : choice),
    );
  }

  const guessed = (form, free) => (free ? form.elements.guess.value.trim() : new FormData(form).get("guess"));

  async function reveal(step, guess) {
    const form = place.querySelector("form"),
      shown = make("div", { className: "answer", "aria-live": "polite" }, make("p", {}, "The model reads …"));
    for (const input of form.elements)
      if (input.name === "guess" && (input.type === "text" || input.value === guess))
        input.type === "text" ? (input.value = guess) : (input.checked = true);
    for (const control of form.elements) control.disabled = true;
    form.querySelector("button").hidden = true;
    place.append(shown);
    const model = await ready;
    shown.replaceChildren(
      ...(step.pair ? comparison(model, ...step.pair) : continued(model, step, guess)),
      ...said(step, guess),
    );
  }

  // The forms after a prefix, or a guess among the likeliest words.
  function continued(model, step, guess) {
    const known = step.likeliest.map(([name, bits]) => ({ name, bits })),
      isGuess = (name) => model.same(name, guess);
    const asked = step.forms.length ? step.forms : known.some(({ name }) => isGuess(name)) ? [] : [guess];
    const values = model.forms(step, asked, lesson.touching),
      all = [...known, ...asked.map((name, i) => ({ name, bits: values[i] }))].sort((x, y) => y.bits - x.bits);
    const table = bars(
      `How likely each word is after “${step.prefix}”, its end included.`,
      all.map(({ name, bits }) => ({ name, value: 2 ** bits, shown: share(2 ** bits), own: isGuess(name) })),
    );
    if (!step.forms.length)
      return [make("p", { className: "headline" }, `${model.name} expects “${all[0].name}” most.`), table];
    const [first, second] = all;
    return [
      make("p", { className: "headline" }, preference(model, first.bits - second.bits, [`“${first.name}”`, ""])),
      table,
    ];
  }

  // What is said after every answer: the guess, what speakers prefer, the class, what to notice.
  function said(step, guess) {
    const right =
      step.expected === "none"
        ? "To speakers both are fine."
        : step.expected && `Speakers prefer ${step.pair ? step.expected : `“${step.expected}”`}.`;
    const votes = Object.entries(step.votes),
      all = votes.reduce((sum, [, n]) => sum + n, 0);
    return [
      make("p", {}, `You chose ${step.pair ? guess : `“${guess}”`}. ${right || ""}`),
      all
        ? bars(
            `The class: ${counted(all, "vote")}.`,
            votes.map(([name, value]) => ({
              name,
              value,
              shown: String(value),
              own: name === guess,
              hue: name === "B" ? "b" : "a",
            })),
          )
        : "",
      step.notice
        ? make("p", { className: "notice" }, make("strong", {}, "Notice. "), ...emphasised(step.notice))
        : "",
      step.reference ? make("p", { className: "quiet" }, step.reference) : "",
    ].filter(Boolean);
  }

  at = Math.min(steps.length, Math.max(1, parseInt(location.hash.slice(1), 10) || 1)) - 1;
  show();
}

const share = (probability) => (probability >= 0.001 ? `${(100 * probability).toFixed(1)} %` : "under 0.1 %");
