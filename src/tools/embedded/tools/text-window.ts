/** Cuts lines to a budget, and adds a last line that says what was cut and how to read it. */

/** @example cutToWindow(['a', 'b'], 0, 100) // 'a\nb' */
export function cutToWindow(lines: readonly string[], offset: number, budget: number): string {
  if (lines.length === 0) return '(nothing to read here)';
  if (offset >= lines.length) return `(there are only ${lines.length} lines; offset ${offset} is behind the last)`;
  const shown: string[] = [];
  let used = 0;
  for (const line of lines.slice(offset)) {
    // A line that is longer than the budget is cut itself, or nothing of it would ever be shown.
    const fitting = shown.length === 0 && line.length > budget ? `${line.slice(0, budget - 1)}…` : line;
    if (used + fitting.length + 1 > budget && shown.length > 0) break;
    shown.push(fitting);
    used += fitting.length + 1;
  }
  const end = offset + shown.length;
  const text = shown.join('\n');
  if (end === lines.length) return text;
  const left = lines.length - end;
  return `${text}\n(${left} of ${lines.length} lines are not shown; to see more: offset ${end}, filter "interactive", or ref_id or selector of a part)`;
}
