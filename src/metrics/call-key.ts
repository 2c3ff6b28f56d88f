/** Names a call by tool and arguments, so that the same call has the same key whatever the order of its fields. */
export function callKey(tool: string, args: unknown): string {
  return `${tool} ${canonical(args, 0)}`;
}

function canonical(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  // Arguments are JSON and shallow; the bound only keeps a hostile nesting off the stack.
  if (depth > 32) return JSON.stringify('deep');
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  // Concatenation, because this is most of what folding an episode costs.
  let text = '{';
  for (const name of Object.keys(value).sort()) {
    text += `${JSON.stringify(name)}:${canonical(Reflect.get(value, name), depth + 1)},`;
  }
  return `${text}}`;
}
