// For those who use no mouse. Streamlit draws what a button opens at the end of the page, many stops away: the focus goes
// there with it (Escape leads back). Code that scrolls is no stop at all, an uploader has a role that takes its name away, a
// toast no name, and what the mouse shows of a mark or a question mark, which describe themselves, stands outside the page.
if (!window.pairlensKeyboard) {
  window.pairlensKeyboard = true;
  const TIPS = ':is([role="tooltip"], #vg-tooltip-element):not([aria-hidden])';
  let waiting = 0;  // milliseconds: until when something that is opened takes the focus
  addEventListener("keydown", event => {
    const pressed = event.target.closest?.('[data-testid="stPopoverButton"][aria-expanded="false"]');
    waiting = pressed && ["Enter", " "].includes(event.key) ? Date.now() + 5000 : 0;
  }, true);
  const tend = () => {
    document.querySelectorAll('[data-testid="stFileUploaderDropzone"][role]').forEach(zone => zone.removeAttribute("role"));
    document.querySelectorAll('[data-testid="stCode"] pre:not([tabindex])').forEach(code => {
      if (code.scrollHeight > code.clientHeight || code.scrollWidth > code.clientWidth) code.tabIndex = 0;
    });
    document.querySelectorAll('[data-testid="stToast"]:not([aria-label])').forEach(toast => toast.setAttribute("aria-label", toast.innerText));
    document.querySelectorAll(TIPS).forEach(tip => tip.setAttribute("aria-hidden", "true"));
    const opened = Date.now() < waiting && document.querySelector('[data-testid="stPopoverBody"]');
    if (opened) [waiting, opened.tabIndex] = [0, -1];
    if (opened) opened.focus();
  };
  tend();  // what was drawn before this script came
  new MutationObserver(tend).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["role"] });
}
