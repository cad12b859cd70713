// Back leads to the page as it was left. Of a click in the menu Streamlit makes several entries of the history: it takes
// what widgets hold from the address of the page that is left, goes, and fills the next page's address widget by widget.
// One act of the visitor, for example the choice of an example, makes one entry, however many widgets it changes.
if (!window.pairlensHistory) {
  window.pairlensHistory = true;
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  let acted = true;  // since the last change of the address
  let entered = 0, leaving = 0;  // milliseconds: until when a change of the address belongs to going there, or away
  history.pushState = (state, title, address) => {
    const to = new URL(address, location.href), here = to.pathname === location.pathname, now = Date.now();
    const less = here && to.search.length < location.search.length;
    const same = here ? !acted || (!less && now < entered) : now < leaving;
    (same ? replace : push)(state, title, address);
    if (!here || acted) leaving = here && !same ? now + (less ? 3000 : 500) : 0;
    acted = false;
    if (!here) entered = now + 3000;
  };
  for (const act of ["pointerdown", "keydown"]) addEventListener(act, () => { acted = true; }, true);
  // A reload is another session, to which the server opens every page as new. This tab knows how it left them: the first
  // time that the menu leads to one again, it is opened by its address as it was then.
  const seen = new Set([location.pathname]);  // since the reload
  addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opened = /[?&]run=/.test(location.search) && !location.pathname.endsWith("/results");  // by a link of Results
    if (!opened) sessionStorage.setItem(`pairlens ${location.pathname}`, location.search);
    const to = link.pathname, left = sessionStorage.getItem(`pairlens ${to}`);
    if (link.matches('[data-testid$="NavLink"]') && left && !seen.has(to)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      location.assign(to + left);
    }
    seen.add(to);
  }, true);
  // A page that is left while a menu is open stays empty: closing it asks the server for a part of the page that is gone.
  // So the menu is closed first.
  let menu = false;
  addEventListener("pointerdown", () => { menu = !!document.querySelector('[data-testid="stPopoverBody"]'); }, true);
  addEventListener("click", (event) => {
    const link = menu && event.target.closest('a[data-testid$="NavLink"]');
    if (!link) return;
    menu = false;
    event.preventDefault();
    event.stopImmediatePropagation();
    for (const kind of ["mousedown", "click"]) document.body.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
    const app = document.querySelector('[data-testid="stApp"]').dataset;
    const go = () => (app.testScriptState === "running" ? setTimeout(go, 50) : link.click());
    setTimeout(go, 300);
  }, true);
  addEventListener("popstate", () => { [entered, leaving] = [Date.now() + 3000, 0]; });
  // What is taken from the end of a page is answered at its top.
  addEventListener("click", (event) => {
    if (event.target.closest('.st-key-invite [data-testid="stButton"]')) document.querySelector('[data-testid="stMain"]').scrollTo(0, 0);
  }, true);
}
