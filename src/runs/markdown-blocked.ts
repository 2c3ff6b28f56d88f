/** `report.md`: requests that were not sent, because they could have changed something elsewhere. */
import type { EpisodeResult } from '../events/index.ts';
import { cell } from './markdown-cell.ts';

export const BLOCKED_HEAD =
  '## Blocked requests\n\nThey could have changed something on a host that the task does not name in `network.allowWrites`, and were not sent.\n\n';

export function blockedOf(name: string, { count, requests }: NonNullable<EpisodeResult['blockedRequests']>): string {
  const lines = requests.map(({ method, url, step }) => `- ${name}, step ${step}: ${cell(method)} ${cell(url)}\n`);
  const more = count - requests.length;
  return [...lines, ...(more > 0 ? [`- ${name}: ${more} more\n`] : [])].join('');
}
