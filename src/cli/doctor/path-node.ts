/**
 * The `node` that a shell finds. In a checkout, npm scripts bring a Node of their own, so that doctor itself may run on a newer one than what
 * a user types.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { isExecutable } from '../../chromium/index.ts';
import { packageRoot } from '../version.ts';
import type { Check } from './check.ts';

const OLDEST_NODE = 24;
const WAIT_MS = 10_000;

export async function checkPathNode(env: NodeJS.ProcessEnv, root: string = packageRoot): Promise<Check> {
  const row = { id: 'path_node', title: 'Node in PATH', required: false } as const;
  const ours = path.join(root, 'node_modules', '.bin', 'node');
  const fix = isExecutable(ours)
    ? `Plain \`node\` cannot run Waymark here. Use npm run waymark, or ${ours} in the place of node.`
    : `Install Node ${OLDEST_NODE} or later from https://nodejs.org.`;
  const file = nodeIn(env);
  if (file === undefined) return { ...row, status: 'warning', found: 'none', fix, details: { path: null } };
  const version = await versionOf(file);
  const details = { path: file, version: version ?? null };
  const found = version === undefined ? `${file} does not say its version` : `${version} at ${file}`;
  if (version !== undefined && Number.parseInt(version.slice(1), 10) >= OLDEST_NODE)
    return { ...row, status: 'ok', found, details };
  return { ...row, status: 'warning', found, fix, details };
}

/** Without the folders that npm and npx put in front for the scripts that they run. */
function nodeIn(env: NodeJS.ProcessEnv): string | undefined {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '' && !folder.split(path.sep).includes('node_modules'))
    .map((folder) => path.join(folder, name))
    .find(isExecutable);
}

async function versionOf(file: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: WAIT_MS });
    return /^v\d+\.\d+\.\d+/.exec(stdout)?.[0];
  } catch {
    // Whatever it is, it is no Node that can be used.
    return undefined;
  }
}
