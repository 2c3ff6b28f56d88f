/** docs/pictures/modules.svg: the modules in the layers of module-layers.json, with the imports that the sources have. */
import path from 'node:path';
import file from '../../module-layers.json' with { type: 'json' };
import { moduleImports, withoutShortcuts } from './imports.ts';
import { layout, type Node } from './layout.ts';

const root = path.resolve(import.meta.dirname, '../..');
const BOX = { width: 244, height: 50 };
const ROW = 86;
const MARGIN = 32;
const HEAD = 84;
/** Beside the command line: folders of their own, which run in a browser. */
const PAGES = { web: 'the web app', page: 'the script for chat pages' };

export function modulePicture(): string {
  const layers: Record<string, string>[] = file.layers.map((layer) => ({ ...layer }));
  const rows = layers.reverse().map((layer, index) => (index === 0 ? { ...layer, ...PAGES } : layer));
  const about = new Map(rows.flatMap((layer) => Object.entries(layer)));
  const measures = { boxWidth: BOX.width, gap: 28, lineGap: 26 };
  const { nodes, lines } = layout(rows.map(Object.keys), withoutShortcuts(moduleImports(root)), measures);
  const xs = nodes.flatMap(({ x, isBox }) => (isBox ? [x - BOX.width / 2, x + BOX.width / 2] : [x]));
  const left = Math.min(...xs);
  const width = Math.round(Math.max(...xs) - left + 2 * MARGIN);
  const height = HEAD + rows.length * ROW - (ROW - BOX.height) + MARGIN;
  const at = ({ x, row }: Node): Point => ({ x: Math.round(x - left + MARGIN), y: HEAD + row * ROW });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc" font-family="ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif">`,
    '  <title id="title">The modules of Waymark</title>',
    `  <desc id="desc">Layers from top to bottom: ${rows.map((layer) => Object.keys(layer).join(' and ')).join('; ')}. A module imports only modules of the layers below it.</desc>`,
    STYLE,
    `  <rect class="paper" width="${width}" height="${height}" rx="14"/>`,
    `  <text class="title" x="${MARGIN}" y="40">Modules</text>`,
    `  <text class="about" x="${MARGIN}" y="61">An arrow is an import. What a longer way of arrows says already is left out.</text>`,
    ...legend(width - MARGIN - 170, 28, 'pure', 'pure: decides, does no I/O'),
    ...legend(width - MARGIN - 170, 49, 'pages', 'runs in a browser'),
    ...lines.map((line) => `  <path class="line" d="${pathOf(line.map(at))}"/>`),
    ...nodes.filter(({ isBox }) => isBox).flatMap((node) => box(node.name, about.get(node.name) ?? '', at(node))),
    '</svg>',
    '',
  ].join('\n');
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function legend(x: number, y: number, kind: string, text: string): string[] {
  return [
    `  <rect class="${kind}" x="${x}" y="${y}" width="18" height="14" rx="4"/>`,
    `  <text class="about" x="${x + 26}" y="${y + 11}">${text}</text>`,
  ];
}

function box(name: string, about: string, { x, y }: Point): string[] {
  const kind = file.pure.includes(name) ? 'pure' : name in PAGES ? 'pages' : 'box';
  return [
    `  <rect class="${kind}" x="${x - BOX.width / 2}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="10"/>`,
    `  <text class="name" x="${x}" y="${y + 21}">${name}/</text>`,
    `  <text class="about middle" x="${x}" y="${y + 39}">${about}</text>`,
  ];
}

/** Down from the lower edge of the first box to the upper edge of the last, with upright tangents at every row. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let from = { x: first.x, y: first.y + BOX.height };
  const parts = [`M${from.x} ${from.y}`];
  rest.forEach(({ x, y }, index) => {
    const isLast = index === rest.length - 1;
    const middle = (from.y + y) / 2;
    parts.push(`C${from.x} ${middle} ${x} ${middle} ${x} ${isLast ? y - 3 : y}`);
    if (!isLast) parts.push(`V${y + BOX.height}`);
    from = { x, y: y + BOX.height };
  });
  return parts.join(' ');
}

const STYLE = `  <style>
    .paper { fill: #ffffff } .title { font-size: 19px; font-weight: 600; fill: #0f172a }
    .name { font-size: 15px; font-weight: 600; fill: #0f172a; text-anchor: middle }
    .about { font-size: 12px; fill: #56637a } .middle { text-anchor: middle }
    .box { fill: #f1f5f9; stroke: #94a3b8 } .pure { fill: #d9f5ee; stroke: #0f766e } .pages { fill: #fef3c7; stroke: #b45309 }
    .line { fill: none; stroke: #64748b; stroke-width: 1.5; marker-end: url(#tip) } .tip { fill: #64748b }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0f172a } .title, .name { fill: #f1f5f9 } .about { fill: #a9b6c9 }
      .box { fill: #1e293b; stroke: #64748b } .pure { fill: #123c3a; stroke: #2dd4bf } .pages { fill: #43300f; stroke: #f59e0b }
      .line { stroke: #94a3b8 } .tip { fill: #94a3b8 }
    }
  </style>
  <defs><marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 1 L9 5 L0 9 Z"/></marker></defs>`;
