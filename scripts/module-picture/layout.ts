/**
 * Places boxes in given rows so that the lines between them are short and cross no box. An edge over several rows gets a point in each row
 * between, which is ordered and moved like a box.
 */
import type { ModuleImport } from './imports.ts';

export interface Node {
  readonly name: string;
  readonly row: number;
  readonly isBox: boolean;
  /** The middle. */
  x: number;
}

export interface Layout {
  readonly nodes: readonly Node[];
  /** Points from the upper box to the lower one. */
  readonly lines: readonly (readonly Node[])[];
}

export interface Measures {
  readonly boxWidth: number;
  readonly gap: number;
  /** Between two lines, and between a line and a box. */
  readonly lineGap: number;
}

const SWEEPS = 400;
/** How much straighter a line is kept between its own points than at its ends. */
const STRAIGHT = 6;

export function layout(rows: readonly (readonly string[])[], edges: readonly ModuleImport[], size: Measures): Layout {
  const grid: Node[][] = rows.map((names, row) => names.map((name, index) => ({ name, row, isBox: true, x: index })));
  const boxes = new Map(grid.flat().map((node) => [node.name, node]));
  const lines = edges.flatMap(({ from, to }) => {
    const [upper, lower] = [boxes.get(from), boxes.get(to)];
    if (!upper || !lower) return [];
    const between = Array.from({ length: Math.max(0, lower.row - upper.row - 1) }, (_, index): Node => {
      const node = { name: `${from} ${to}`, row: upper.row + 1 + index, isBox: false, x: 0 };
      grid[node.row]?.push(node);
      return node;
    });
    return [[upper, ...between, lower]];
  });
  const neighbours = new Map<Node, Node[]>();
  for (const line of lines) {
    line.forEach((node, index) => {
      const near = [line[index - 1], line[index + 1]].flatMap((one) => {
        if (one === undefined) return [];
        return node.isBox || one.isBox ? [one] : Array<Node>(STRAIGHT).fill(one);
      });
      neighbours.set(node, [...(neighbours.get(node) ?? []), ...near]);
    });
  }
  for (const row of grid) spread(row, size);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const row of sweep % 2 === 0 ? grid : [...grid].reverse()) {
      for (const node of row) node.x = mean((neighbours.get(node) ?? []).map(({ x }) => x)) ?? node.x;
      // Once the order has settled, only the places change.
      if (sweep < SWEEPS / 2) row.sort((a, b) => a.x - b.x);
      spread(row, size);
    }
  }
  return { nodes: grid.flat(), lines };
}

/** Keeps the order and the wished places as far as there is space: each pair that is too near moves apart by the same amount. */
function spread(row: readonly Node[], { boxWidth, gap, lineGap }: Measures): void {
  const half = (node: Node): number => (node.isBox ? boxWidth / 2 : 0);
  const distance = (a: Node, b: Node): number => half(a) + half(b) + (a.isBox && b.isBox ? gap : lineGap);
  for (let again = 0; again < row.length * 20; again += 1) {
    for (let index = 1; index < row.length; index += 1) {
      const [left, right] = [row[index - 1], row[index]];
      if (!left || !right) continue;
      const missing = distance(left, right) - (right.x - left.x);
      if (missing <= 0) continue;
      left.x -= missing / 2;
      right.x += missing / 2;
    }
  }
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
