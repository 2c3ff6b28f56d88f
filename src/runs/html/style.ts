/** The report's style sheet. One file without a network: system fonts, colours by light-dark(), no style attribute anywhere (the page's own policy forbids them). */
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
.bars { display: block; max-width: 100%; }
.episodes .bars { max-width: 14rem; }
.episode .bars { height: 3.5rem; width: auto; }
.bars .zero { stroke: var(--line); stroke-width: 1; }
.bars .up { fill: var(--good); }
.bars .down { fill: var(--bad); }
.bars .flat { fill: var(--faint); }

.chip, .tag, .score { display: inline-block; border-radius: 4px; padding: 0 0.45em; font-size: 0.8rem; line-height: 1.6; white-space: nowrap; }
.chip { font-weight: 600; }
.chip.good { color: var(--good); background: var(--good-back); }
.chip.bad, .tag.bad { color: var(--bad); background: var(--bad-back); }
.chip.fault { color: var(--fault); background: var(--fault-back); }
.tag { color: var(--faint); background: var(--sunk); border: 1px solid var(--line); line-height: 1.45; }
.tag.bad { border-color: transparent; line-height: 1.6; }
.score { font-variant-numeric: tabular-nums; min-width: 3.2em; text-align: right; }
.score.up { color: var(--good); } .score.down { color: var(--bad); } .score.flat { color: var(--faint); }
.verdict { display: inline-block; min-width: 1.1em; text-indent: 0; text-align: center; font-weight: 700; }
.verdict.pass { color: var(--good); } .verdict.fail { color: var(--bad); } .verdict.inconclusive { color: var(--fault); }

.episode { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 0.6rem 0; content-visibility: auto; contain-intrinsic-size: auto 3rem; }
.episode > summary { padding: 0.55rem 1rem; display: flex; flex-wrap: wrap; gap: 0.15rem 0.75rem; align-items: center; }
.episode > summary::before { content: "▸"; color: var(--faint); }
.episode[open] > summary::before { content: "▾"; }
.episode > summary::-webkit-details-marker { display: none; }
.episode > summary h2 { overflow-wrap: anywhere; }
.episode > article { padding: 0 1rem 1rem; scroll-margin-top: 4rem; }
.goal { overflow-wrap: anywhere; }
.warnings { background: var(--fault-back); color: var(--fault); border-radius: 6px; padding: 0.1rem 0.75rem 0.5rem; margin-top: 0.75rem; }
.contract { list-style: none; padding: 0; overflow-wrap: anywhere; white-space: pre-line; }
.contract li { padding-left: 1.4rem; text-indent: -1.4rem; }
${[1, 2, 3, 4, 5, 6, 7, 8].map((depth) => `.contract .d${depth} { margin-left: ${depth * 1.25}rem; }`).join('\n')}

.film { display: flex; gap: 0.6rem; overflow-x: auto; padding: 3px 3px 0.5rem; align-items: flex-start; }
.frame { flex: 0 0 auto; width: 13rem; }
.frame summary { list-style: none; font-size: 0.8rem; color: var(--faint); }
.frame summary::-webkit-details-marker { display: none; }
.frame img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 4px; background: #fff; cursor: zoom-in; }
.frame[open] { width: min(100%, 60rem); }
.frame[open] img { cursor: zoom-out; }

.timeline { margin: 0.4rem 0 0.8rem; }
.lane-row { display: grid; grid-template-columns: 8rem 1fr; gap: 0 0.75rem; align-items: center; margin: 2px 0; }
.lane-name { font-size: 0.85rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.lane-row svg { display: block; width: 100%; height: 26px; background: var(--sunk); border-radius: 4px; }
.lane-row .grid { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.lane-row .asked { fill: var(--link); opacity: 0.18; }
.lane-row .asked.blocked, .lane-row .asked.error, .lane-row .asked.max_steps, .lane-row .asked.timeout { fill: var(--bad); }
.lane-row .asked.aborted { fill: var(--fault); }
.lane-row .thinking { fill: var(--faint); opacity: 0.55; }
.lane-row .call { fill: var(--link); }
.lane-row .call.failed { fill: var(--bad); }
.ticks { display: flex; justify-content: space-between; color: var(--faint); font-size: 0.75rem; font-variant-numeric: tabular-nums; }
.legend .key { display: inline-block; width: 1.1em; height: 0.65em; border-radius: 2px; margin-left: 0.6em; }
.legend .key:first-child { margin-left: 0; }
.key.thinking { background: var(--faint); opacity: 0.55; } .key.call { background: var(--link); } .key.call.failed { background: var(--bad); } .key.asked { background: var(--link); opacity: 0.25; }
.delegations > li { margin: 0.35rem 0; overflow-wrap: anywhere; }
.delegations .said { color: var(--faint); }
tr.chosen td { background: var(--good-back); }
.forks { padding-left: 1.2em; }
.candidates td { vertical-align: top; }
.candidates td:nth-child(2), .candidates td:nth-child(4) { white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }
.tag.lane { font-weight: 600; color: var(--text); }

.steps { list-style: none; padding: 0; margin: 0; border: 1px solid var(--line); border-radius: 6px; }
.steps > li + li { border-top: 1px solid var(--line); }
.step > summary { list-style: none; display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; align-items: baseline; padding: 0.3rem 0.6rem; }
.step > summary::-webkit-details-marker { display: none; }
.step > summary:hover, .step[open] > summary { background: var(--sunk); }
.step.failed > summary .n { color: var(--bad); }
.n { min-width: 1.6em; text-align: right; color: var(--faint); font-variant-numeric: tabular-nums; }
.brief { flex: 1 1 12rem; min-width: 0; color: var(--faint); font-size: 0.9rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.tags { display: inline-flex; flex-wrap: wrap; gap: 0.25rem; justify-content: flex-end; align-items: center; margin-left: auto; }
.step .body { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1.5rem; padding: 0 0.75rem 0.75rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.step section { min-width: 0; }
.changes { padding-left: 1rem; }
.changes .bad { color: var(--bad); }
.changes ul { color: var(--faint); font-size: 0.9em; }
.reasons { list-style: none; padding: 0; }
.reasons b { display: inline-block; min-width: 3em; font-variant-numeric: tabular-nums; }

.facts { font-size: 0.9rem; width: 100%; }
.facts th { text-align: left; font-weight: 400; color: var(--faint); padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; width: 14rem; }
.facts td { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .lane-row { grid-template-columns: 1fr; margin: 0.35rem 0; }
  .axis .lane-name { display: none; }
  .facts th, .facts td { display: block; width: auto; padding: 0; }
  .facts td { padding-bottom: 0.4rem; }
  .brief { flex-basis: 100%; order: 3; }
  .tags { margin-left: 0; order: 4; justify-content: flex-start; }
}
@media print { .tools { display: none; } .episode { break-inside: avoid; } }
`;
