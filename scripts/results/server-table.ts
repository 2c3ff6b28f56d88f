/** The table of `npm run results:web` about tool servers: how many oracles each one can replay, and for the others why it can't. */
import type { EpisodeResult } from '../../src/events/index.ts';

export interface ServerResults {
  /** `playwright 0.0.64`. */
  readonly server: string;
  readonly results: readonly Pick<EpisodeResult, 'taskId' | 'success' | 'outcome' | 'reason'>[];
}

export function serverTable(servers: readonly ServerResults[]): string {
  const head = ['server', 'oracles that pass', 'cannot be expressed there, and why'];
  const rows = servers.map(({ server, results }) => {
    const others = results.filter(({ success }) => !success);
    const why = others.map(({ taskId, outcome, reason }) => `\`${taskId}\`: ${outcome}. ${inCell(reason)}`);
    return [
      server,
      `${results.length - others.length} of ${results.length}`,
      why.length === 0 ? 'none' : why.join('<br>'),
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
