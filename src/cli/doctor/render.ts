/** Prints the rows of `waymark doctor` for people. */
import type { Style, Terminal } from '../terminal.ts';
import type { Check } from './check.ts';

const LOOKS: Record<Check['status'], { mark: string; style: Style }> = {
  ok: { mark: 'ok', style: 'green' },
  warning: { mark: 'warning', style: 'yellow' },
  problem: { mark: 'problem', style: 'red' },
};
const MARK_WIDTH = 'problem'.length;

export function renderChecks(checks: readonly Check[], paint: Terminal['paint']): string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  const indent = ' '.repeat(MARK_WIDTH + width + 4);
  const rows = (required: boolean) =>
    checks
      .filter((check) => check.required === required)
      .flatMap(({ status, title, found, fix }) => {
        const { mark, style } = LOOKS[status];
        const head = `${paint(style, mark.padEnd(MARK_WIDTH))}  ${title.padEnd(width)}  ${indented(found, indent)}`;
        return fix === undefined ? [head] : [head, `${indent}${paint('dim', '→')} ${indented(fix, `${indent}  `)}`];
      });
  return [
    paint('bold', 'Required'),
    ...rows(true),
    '',
    paint('bold', 'Optional'),
    ...rows(false),
    '',
    verdict(checks),
    '',
  ].join('\n');
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

function verdict(checks: readonly Check[]): string {
  const problems = checks.filter(({ status }) => status === 'problem');
  if (problems.length === 0) return 'Ready.';
  return `Not ready: ${problems.map(({ title }) => title.toLowerCase()).join(', ')}.`;
}
