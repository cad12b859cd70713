// A phone in a class: join with a code, see the step that is shown, choose. All texts are set as text, never as HTML.
"use strict";

const main = document.getElementById("main");
const connection = document.getElementById("connection");
let shown = null; // what the server said last
let asking = null; // the request that waits for something new
let sending = null; // the vote that the server has not confirmed yet
let busy = false; // whether a vote is being sent

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

function make(name, text = "", look = "") {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = look;
  return element;
}

async function request(path, body = null, stop = new AbortController()) {
  const patience = setTimeout(() => stop.abort(), 30_000);
  const how = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const response = await fetch(path, { ...how, signal: stop.signal, cache: "no-store" });
    connection.hidden = true;
    return [response.status, await response.json()];
  } finally {
    clearTimeout(patience);
  }
}

// Wait for what is shown, again and again. After a failure, and when the phone wakes up, it asks without waiting.
async function follow() {
  let known = false;
  for (;;) {
    asking = new AbortController();
    try {
      const path = "/class/state" + (known && shown ? `?turn=${shown.turn}` : "");
      const [status, said] = await request(path, null, asking);
      if (status === 401) return askForCode(said.error, new URLSearchParams(location.search).get("c") || "");
      if (status !== 200) throw new Error(said.error);
      known = true;
      take(said);
    } catch {
      known = false;
      if (!asking.woken) connection.hidden = false;
      await pause(asking.woken ? 0 : 1);
    }
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && asking) {
    asking.woken = true;
    asking.abort();
  }
});

function take(said) {
  const same = shown && shown.turn === said.turn && (shown.mine === said.mine || sending);
  shown = said;
  if (!same) draw();
}

function askForCode(why, code) {
  shown = null;
  const field = make("input", "", "code");
  Object.assign(field, { value: code, maxLength: 8, autocomplete: "off", autocapitalize: "characters", spellcheck: false });
  field.setAttribute("aria-label", "Code");
  const go = make("button", "Join", "go");
  const wrong = make("p", "", "error");
  wrong.hidden = true;
  const join = async () => {
    go.disabled = true;
    try {
      const [status, said] = await request("/class/join", { code: field.value });
      if (status === 200) return take(said), follow();
      wrong.textContent = said.error;
    } catch {
      wrong.textContent = "No connection: try again.";
    }
    wrong.hidden = go.disabled = false;
  };
  go.onclick = join;
  onEnter(field, join);
  main.replaceChildren(make("h1", "Join the class"), make("p", why), field, go, wrong,
    make("p", "No name and no account: your phone gets a random number.", "quiet"));
  if (code) join();
}

function onEnter(field, act) {
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") act();
  });
}

function draw() {
  const parts = {
    joined: () => [make("p", "You are in. Look at the screen: the first question comes soon.")],
    end: () => [make("p", "The class is over. Thank you.")],
    ahead: () => [place(), make("p", "Look at the screen. The vote opens soon.")],
    open: () => [place(), ...asked(), ...(shown.choices.length ? choices() : typing()), state()],
    revealed: () => [place(), ...asked(), ...results()],
  }[shown.stage]();
  main.replaceChildren(make("h1", shown.title), ...parts);
}

const place = () => make("p", `${shown.step} of ${shown.steps}`, "quiet");

function asked() {
  const question = shown.question || (shown.prefix ? "Which word comes next?" : "Which sentence is better?");
  return [make("p", question), ...(shown.prefix ? [inLanguage(make("p", `${shown.prefix} …`, "prefix"))] : [])];
}

function inLanguage(element) {
  element.lang = shown.language;
  element.dir = "auto";
  return element;
}

function choices() {
  return shown.choices.map(({ choice, text }, number) => {
    const button = make("button", "", "choice");
    button.append(...mark(number), inLanguage(make("span", text)));
    button.setAttribute("aria-pressed", String(choice === chosen()));
    button.onclick = () => vote(choice);
    return button;
  });
}

// The marks and letters of two choices, as on the screen.
const mark = (number) => (shown.choices.length === 2
  ? [make("span", "", number ? "mark second" : "mark"), make("b", "AB"[number])] : []);
const chosen = () => (sending ? sending.choice : shown.mine);

function typing() {
  const field = inLanguage(make("input"));
  Object.assign(field, { value: chosen(), maxLength: 40, autocomplete: "off", autocapitalize: "off", spellcheck: false });
  field.setAttribute("aria-label", "Your word");
  const go = make("button", "Send", "go");
  go.onclick = () => {
    if (field.value.trim()) vote(field.value.trim());
  };
  onEnter(field, go.onclick);
  return [field, go, make("p", "", "quiet")];
}

function state() {
  const counted = shown.mine && !sending ? "Counted. You can change it until the answer is shown." : "";
  const line = make("p", sending ? "Sending …" : counted, "quiet");
  line.id = "state";
  return line;
}

// Send a vote until the server confirms it or the vote is closed. One at a time, so that the last choice counts.
async function vote(choice) {
  sending = { step: shown.step, choice };
  draw();
  if (busy) return;
  busy = true;
  let refused = "";
  while (sending && shown.step === sending.step && shown.stage === "open") {
    const mine = sending;
    try {
      const [status, said] = await request("/class/vote", mine);
      if (status === 200 && sending === mine) shown = said;
      refused = status === 200 ? "" : said.error;
      if (sending === mine) sending = null;
    } catch {
      connection.hidden = false;
      await pause(1);
    }
  }
  sending = null;
  busy = false;
  draw();
  if (refused) main.append(make("p", refused, "error"));
}

function results() {
  const { votes, counts, model, model_choice: best, lead, expected, notice } = shown.answer;
  const texts = shown.choices.length ? shown.choices : Object.keys(counts).map((word) => ({ choice: word, text: word }));
  const rows = texts.map(({ choice, text }, number) => {
    const row = make("div", "", choice === shown.mine ? "result mine" : "result");
    const share = make("div", "", "bar");
    share.append(make("div"));
    share.firstChild.style.width = `${(100 * (counts[choice] || 0)) / (votes || 1)}%`;
    const words = inLanguage(make("p", "", "text"));
    words.append(...mark(number), text);
    row.append(words, share, make("p", `${counts[choice] || 0} of ${votes}${choice === shown.mine ? " · your choice" : ""}`, "quiet"));
    if (choice === best && shown.choices.length) row.append(make("p", `${model} prefers this ${lead}.`, "tag"));
    if (choice === expected) row.append(make("p", "What speakers expect", "quiet"));
    return row;
  });
  const said = !best || !shown.choices.length ? [make("p", `${model}: ${lead}`, "tag")] : [];
  return [...rows, ...said, ...(notice ? [make("p", notice)] : [])];
}

follow();
