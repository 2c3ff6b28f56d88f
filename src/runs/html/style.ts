/** The style sheet of the pages without a viewer: comparisons, trends, and the report of questions. One file without a network: system fonts, colours by light-dark(), no style attribute anywhere (the page's own policy forbids them). */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fbfaf8, #16181b);
  --card: light-dark(#ffffff, #1e2125);
  --sunk: light-dark(#f3f1ec, #15171a);
  --line: light-dark(#dedad2, #363b42);
  --text: light-dark(#1d2125, #e6e8ea);
  --faint: light-dark(#5d646c, #a2a9b1);
  --link: light-dark(#0b5cad, #7cb7f2);
  --good: light-dark(#11683a, #6fd39b);
  --good-back: light-dark(#e0f3e7, #14351f);
  --bad: light-dark(#a8201a, #ff9a90);
  --bad-back: light-dark(#fde6e3, #43191a);
  --fault: light-dark(#7a4a00, #f0bd6a);
  --fault-back: light-dark(#fcefd6, #3d2d10);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main, header { max-width: 76rem; margin: 0 auto; padding: 1rem clamp(0.75rem, 3vw, 2rem); }
header { padding-bottom: 0; }
main { padding-top: 0; }
h1 { font-size: 1.35rem; margin: 0 0 0.25rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0; }
h3 { font-size: 0.95rem; margin: 1.25rem 0 0.4rem; }
h4 { font-size: 0.85rem; margin: 0.75rem 0 0.25rem; }
p { margin: 0.25rem 0; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: 0.85em; }
pre { background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem 0.75rem; margin: 0; max-height: 22rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
ul, ol { margin: 0.25rem 0; padding-left: 1.25rem; }
summary { cursor: pointer; }
.faint, .none { color: var(--faint); font-weight: 400; font-size: 0.9em; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
.about { color: var(--faint); font-size: 0.85rem; }

.rates { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 0.75rem; margin: 1rem 0; }
.rate { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem; }
.rate h2 { font-size: 0.85rem; color: var(--faint); font-weight: 600; }
.figure { font-size: 1.7rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figure span { font-size: 0.9rem; font-weight: 400; color: var(--faint); }
.rate svg { display: block; width: 100%; height: 14px; margin: 0.4rem 0; }
.track { fill: var(--line); }
.band { fill: var(--link); opacity: 0.35; }
.mark { fill: var(--text); }
.outcomes { display: flex; flex-wrap: wrap; gap: 0.3rem 0.9rem; list-style: none; padding: 0; margin: 0.3rem 0 0; }
.outcomes b { font-variant-numeric: tabular-nums; }
.notice { background: var(--fault-back); color: var(--fault); border-radius: 6px; padding: 0.5rem 0.75rem; }

.tools { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 0.75rem 0 0.5rem; }
.tools label { display: inline-flex; gap: 0.4rem; align-items: center; }
button { font: inherit; font-size: 0.9rem; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.7rem; cursor: pointer; }
kbd { font-family: var(--mono); font-size: 0.8em; border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3em; background: var(--card); }
body:has(#only:checked) [data-passed="true"] { display: none; }

.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
table { border-collapse: collapse; }
.episodes { width: 100%; font-size: 0.9rem; }
.episodes th, .episodes td { padding: 0.4rem 0.75rem; text-align: left; border-top: 1px solid var(--line); white-space: nowrap; }
.episodes thead th { border-top: 0; color: var(--faint); font-size: 0.8rem; font-weight: 600; }
.episodes tbody th { font-weight: 600; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; position: sticky; left: 0; background: var(--card); }
.episodes .num { text-align: right; font-variant-numeric: tabular-nums; }

.chip, .tag { display: inline-block; border-radius: 4px; padding: 0 0.45em; font-size: 0.8rem; line-height: 1.6; white-space: nowrap; }
.chip { font-weight: 600; }
.chip.good { color: var(--good); background: var(--good-back); }
.chip.bad, .tag.bad { color: var(--bad); background: var(--bad-back); }
.chip.fault { color: var(--fault); background: var(--fault-back); }
.tag { color: var(--faint); background: var(--sunk); border: 1px solid var(--line); line-height: 1.45; }
.tag.bad { border-color: transparent; line-height: 1.6; }
.verdict { display: inline-block; min-width: 1.1em; text-indent: 0; text-align: center; font-weight: 700; }
.verdict.pass { color: var(--good); } .verdict.fail { color: var(--bad); } .verdict.inconclusive { color: var(--fault); }

@media print { .tools { display: none; } }
`;
