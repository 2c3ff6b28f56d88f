/** `waymark run --ui`: the web app on the run's folder, by a process of its own, so that no viewer slows an attempt. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { WaymarkError } from '../errors/index.ts';
import { END_WITH_INPUT } from '../runs/tasks.ts';
import { openBrowser } from './open-browser.ts';
import type { Terminal } from './terminal.ts';
import { packageRoot } from './version.ts';

const START_MS = 60_000;
const STOP_MS = 5_000;

export interface RunUi extends AsyncDisposable {
  readonly url: string;
  /** Prints the run's address; at a terminal it is opened, too. */
  show(runId: string, terminal: Terminal): void;
}

export async function startRunUi(root: string): Promise<RunUi> {
  const data = mkdtempSync(path.join(tmpdir(), 'waymark-ui-'));
  const main = path.join(import.meta.dirname, `main${path.extname(import.meta.filename)}`);
  const args = [main, 'serve', '--runs', root, '--data', data, '--port', '0', '--allow-runs', 'no', '--json'];
  const env = { ...process.env, WAYMARK_WEB_FOLDER: await webFolder(), [END_WITH_INPUT]: '1' };
  // Ctrl-C at the terminal is for the run; the server ends with the run, also where the run is killed: its input ends then.
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    if (child.exitCode === null && child.signalCode === null) await ended;
    clearTimeout(timer);
    rmSync(data, { recursive: true, force: true });
  };
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, 'line', { signal: AbortSignal.timeout(START_MS) }).catch(() => undefined),
    ended.then(() => undefined),
  ]);
  if (!first) {
    await stop();
    throw new WaymarkError({
      code: 'ui_failed',
      message: 'The server of --ui did not start.',
      hint: 'Run without --ui, or see what is wrong: waymark serve --runs <folder>',
    });
  }
  const { url } = JSON.parse(String(first[0])) as { url: string };
  return {
    url,
    show(runId, { err, screen, paint }) {
      const address = `${url}app/folders/${encodeURIComponent(runId)}`;
      err(`watch it at ${paint('bold', address)}\n`);
      if (screen) openBrowser(address);
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** The published package has it; a checkout builds it when it is needed, and keeps it. */
async function webFolder(): Promise<string> {
  const built = path.resolve(import.meta.dirname, '../web');
  if (existsSync(built)) return built;
  const sources = pathToFileURL(path.join(packageRoot, 'scripts', 'build-web.ts')).href;
  const { cachedWeb } = (await import(sources)) as { cachedWeb: () => Promise<string> };
  return cachedWeb();
}
