/** Identifies a call by tool and arguments; the order of fields does not matter. */
export function callKey(tool: string, args: unknown): string {
  return `${tool} ${canonical(args, 0)}`;
}

function canonical(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  // Arguments are JSON and shallow; the bound only protects the stack from hostile nesting.
  if (depth > 32) return JSON.stringify('deep');
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  // String concatenation, because this is most of the cost of folding an episode.
  let text = '{';
  for (const name of Object.keys(value).sort()) {
    text += `${JSON.stringify(name)}:${canonical(Reflect.get(value, name), depth + 1)},`;
  }
  return `${text}}`;
}
