// The page: the model is read once the page has been drawn; then the lesson, one's own pair, and a call for programs.

const data = JSON.parse(document.getElementById("data").textContent);
const ready = new Promise((resolve) =>
  setTimeout(() => {
    const weights = document.getElementById("weights");
    resolve(new Model(data.model, weights.textContent.trim()));
    weights.remove();
  }, 50),
);

// For tests and the curious. `compare(a, b)`: the lead of A over B in bits, and the words; `score(text)`: its tokens.
window.pairlens = {
  ready: ready.then(() => true),
  compare: async (a, b) => (await ready).compare(a, b),
  score: async (text) => (await ready).score(text).tokens.map(({ id, token, logprob }) => ({ id, token, logprob })),
  forms: async (step, forms) => (await ready).forms(step, forms, data.lesson.touching),
};

showLesson(data, ready);

const own = document.getElementById("own"),
  found = document.getElementById("found");
own.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [a, b] = [own.elements.a.value, own.elements.b.value];
  if (!a.trim() || !b.trim())
    return found.replaceChildren(
      make("p", { className: "warning" }, "Type both sentences: they are compared with each other."),
    );
  found.replaceChildren(make("p", {}, "The model reads …"));
  const model = await ready;
  setTimeout(() => found.replaceChildren(...comparison(model, a, b)));
});
