/** Whether a task depends on a public site that may change or be down. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LoadedTask } from '../../cases/index.ts';
import type { Rule } from './finding.ts';

/** Reserved names (RFC 6761) and this machine. */
const RESERVED = /(^|\.)(test|example|invalid|localhost)$|^127\.|^\[::1\]$/;

/** The task reaches a public site that is neither a fixture nor a recording. */
export function isLive({ task, folder }: LoadedTask): boolean {
  if (task.network?.mode === 'replay' || task.network?.mode === 'blocked') return false;
  const { protocol, hostname } = new URL(task.startUrl);
  if (!/^https?:$/.test(protocol) || RESERVED.test(hostname)) return false;
  // A fixture file in the folder maps host names to its own application.
  return !['fixture.ts', 'fixture.mjs', 'fixture.js'].some((name) => existsSync(path.join(folder, name)));
}

export const hostRules: Rule = (loaded) => {
  if (!isLive(loaded)) return [];
  const { hostname } = new URL(loaded.task.startUrl);
  return [
    {
      rule: 'live_host',
      path: '$.startUrl',
      message: `${hostname} is a live site: it may change or be down. Replay a recording ("network": {"mode": "replay", …}) to make the task repeatable.`,
    },
  ];
};
