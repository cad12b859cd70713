// Texts of the page that stand out too little from what is behind them (WCAG 2.2, 1.4.3): 4.5, for large ones and icons 3.
// Returns the number of texts looked at, and of each that fails its words, its contrast, and both colours.
const NUMBERS = /^(?:rgba?\(|color\(srgb )([^)]+)\)/;
const parse = text => {
  const found = text.match(NUMBERS);
  if (!found) return [0, 0, 0, 0];
  const scale = text.startsWith('color') ? 255 : 1;
  const [r, g, b, alpha = 1] = found[1].split(/[\s,/]+/).filter(Boolean).map(Number);
  return [r * scale, g * scale, b * scale, alpha];
};
const over = (top, below) => below.map((value, place) => top[place] * top[3] + value * (1 - top[3]));
const ancestors = element => element ? [element, ...ancestors(element.parentElement)] : [];
const opacity = element => ancestors(element).reduce((all, one) => all * Number(getComputedStyle(one).opacity), 1);
const colour = (element, property) => {
  const style = getComputedStyle(element), [r, g, b, alpha] = parse(style[property]);
  return [r, g, b, alpha * (property === 'fill' ? Number(style.fillOpacity) : 1) * opacity(element)];
};
const isShape = element => element instanceof SVGGeometryElement;
const paint = element => colour(element, isShape(element) ? 'fill' : 'backgroundColor');
const ink = element => colour(element, element instanceof SVGElement ? 'fill' : 'color');
const backdrop = parse(getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor).slice(0, 3);
const behind = (element, x, y) => {
  const hit = document.elementsFromPoint(x, y), place = hit.indexOf(element);
  return (place < 0 ? ancestors(element) : hit.slice(place)).reverse().reduce((below, one) => over(paint(one), below), backdrop);
};
const luminance = rgb => {
  const [r, g, b] = rgb.map(value => value / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
};
const contrast = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + .05) / (dark + .05);
};
const needed = element => {
  const style = getComputedStyle(element), size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  return large || style.fontFamily.includes('Material') ? 3 : 4.5;
};
const texts = function* () {
  const walker = document.createTreeWalker(document.querySelector('[data-testid="stApp"]'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || element.closest('style, script, [disabled], [aria-disabled="true"]')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = [...range.getClientRects()].find(one => one.width > 1 && one.height > 1);
    if (box && element.checkVisibility({opacityProperty: true, visibilityProperty: true})) yield [element, node.data, box];
  }
  for (const field of document.querySelectorAll('input:enabled, textarea:enabled'))
    if (field.value && field.offsetWidth > 1) yield [field, field.value, field.getBoundingClientRect()];
};
const all = document.createElement('style');
all.textContent = '* { pointer-events: auto !important; transition: none !important; }';  // else points miss them
document.head.append(all);
const looked = [...texts()], failed = [];
for (const [element, words, box] of looked) {
  const below = behind(element, box.left + box.width / 2, box.top + box.height / 2), seen = over(ink(element), below);
  if (contrast(seen, below) < needed(element))
    failed.push([words.trim().slice(0, 40), contrast(seen, below).toFixed(2), seen.map(Math.round), below.map(Math.round)]);
}
all.remove();
return [looked.length, failed];
