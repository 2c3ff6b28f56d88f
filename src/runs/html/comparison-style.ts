/** What a comparison has beside the parts of a report. */
export const COMPARISON_STYLE = `
.comparison { margin: 1.5rem 0; padding-top: 1rem; border-top: 1px solid var(--line); }
.comparison h3::first-letter { text-transform: uppercase; }
.verdict { font-size: 1.1rem; font-weight: 600; padding: 0.5rem 0.75rem; border-radius: 6px; background: var(--sunk); overflow-wrap: anywhere; }
.verdict.better { background: var(--good-back); color: var(--good); }
.verdict.worse { background: var(--bad-back); color: var(--bad); }
.compared { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
.compared th, .compared td { padding: 0.3rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.compared th:first-child { text-align: left; font-weight: 600; }
.compared tbody tr:last-child > * { border-bottom: 0; }
.parted h4 { overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.sides figure { margin: 0; min-width: 0; }
.sides figcaption { font-size: 0.85rem; color: var(--faint); overflow-wrap: anywhere; }
.sides img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 4px; background: #fff; }
.trend { display: block; width: 100%; height: 12rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 0.75rem 0; }
.trend .path { fill: none; stroke: var(--link); stroke-width: 2; vector-effect: non-scaling-stroke; }
.trend .range { stroke: var(--link); stroke-width: 6; opacity: 0.3; vector-effect: non-scaling-stroke; }
.trend .point { fill: var(--link); }
.trend .grid { stroke: var(--line); vector-effect: non-scaling-stroke; }
.trend text { font-size: 12px; fill: var(--faint); }
`;
