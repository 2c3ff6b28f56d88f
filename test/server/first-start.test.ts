import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { peakMiB } from '../../bench/measure.ts';

const root = path.join(import.meta.dirname, '../..');

/** On Linux only, where the system tells what a process has had. */
test.skipIf(process.platform !== 'linux')('a first start in a checkout takes less than 700 MiB of memory', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-first-start-'));
  const flags = ['serve', '--port', '0', '--json', '--data', path.join(folder, 'data')];
  const child = spawn(process.execPath, ['src/cli/main.ts', ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { url } = z.object({ url: z.url() }).parse(JSON.parse(String(line)));
    // Some hundred statements: the functions that V8 compiles for them a second time are counted too.
    for (let request = 0; request < 50; request++)
      expect((await fetch(`${url}runs?limit=${request + 1}`)).status).toBe(200);
    expect(peakMiB(child.pid)).toBeLessThan(700);
    expect(errors).not.toContain('syntax error');
  } finally {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
});
