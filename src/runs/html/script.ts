/** The report's script. The report works without it; it opens and closes, and goes from episode to episode by keys. */
export const SCRIPT = `
const episodes = [...document.querySelectorAll('details.episode')];
const visible = () => episodes.filter((one) => one.offsetParent !== null);
const setAll = (open) => { for (const one of visible()) one.open = open; };
for (const button of document.querySelectorAll('[data-all]')) {
  button.hidden = false;
  button.addEventListener('click', () => setAll(button.dataset.all === 'open'));
}
document.querySelector('#keys').hidden = false;
const go = (by) => {
  const list = visible();
  const at = list.findIndex((one) => one.contains(document.activeElement));
  const next = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : at + by];
  if (next) next.querySelector('summary').focus();
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'j') go(1);
  else if (event.key === 'k') go(-1);
  else if (event.key === 'Escape') {
    const around = document.activeElement && document.activeElement.closest('details[open]');
    if (around) { around.open = false; around.querySelector('summary').focus(); }
  }
});
addEventListener('beforeprint', () => setAll(true));
`;
