/** `npm run build`: src/ to dist/ as JavaScript and declarations, ready for `npm pack`. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildPage } from '../page/build.ts';
import { buildStore } from './build-store.ts';
import { buildSuites } from './build-suites.ts';
import { buildWeb } from './build-web.ts';

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, 'dist');
const command = path.join(dist, 'cli', 'main.js');

// Files that were removed from src/ must not stay in the package.
rmSync(dist, { recursive: true, force: true });
const tsc = path.join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(1);
if (!readFileSync(command, 'utf8').startsWith('#!')) throw new Error(`${command} has lost its #! line`);
chmodSync(command, 0o755);
await buildStore(dist);
await buildPage(path.join(dist, 'page'));
await buildWeb(dist);
await buildSuites(dist);
