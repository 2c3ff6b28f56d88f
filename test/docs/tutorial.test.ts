/** Runs the tutorial as written, in an empty folder. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plainEnvironment, runProcess } from '../repository/run-process.ts';
import { brokenLinks, matcher, partsOf } from './typed-page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/tutorial/first-task.md'), 'utf8');

function temporaryFolder(): Disposable & { folder: string } {
  // A short name, because @playwright/mcp creates sockets in it, whose paths are limited.
  const folder = mkdtempSync(path.join(tmpdir(), 'wm-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

test('every file and command of the tutorial works as written', async () => {
  using temporary = temporaryFolder();
  const { folder } = temporary;
  const bin = path.join(folder, 'bin');
  const work = path.join(folder, 'work');
  mkdirSync(bin);
  mkdirSync(work);
  writeFileSync(
    path.join(bin, 'waymark'),
    `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'src/cli/main.ts')}" "$@"\n`,
  );
  chmodSync(path.join(bin, 'waymark'), 0o755);
  const env = plainEnvironment({
    PATH: `${bin}:${process.env['PATH']}`,
    WAYMARK_STATE_DIR: path.join(folder, 's'),
    NO_COLOR: '1',
  });
  const parts = partsOf(page);
  expect(parts.filter((part) => part.do === 'type').length).toBeGreaterThanOrEqual(6);
  expect(parts.filter((part) => part.do === 'write').length).toBeGreaterThanOrEqual(4);
  let said = '';
  for (const part of parts) {
    if (part.do === 'write') writeFileSync(path.join(work, part.file), part.text);
    else if (part.do === 'expect') expect(said, said).toMatch(matcher(part.lines));
    else {
      // A terminal shows both streams.
      const ended = await runProcess('sh', ['-c', `exec 2>&1\n${part.line}`], { cwd: work, env });
      said = ended.out;
      // A command without shown output must succeed.
      if (ended.code !== 0) throw new Error(`${part.line} ended with ${ended.code}: ${said}`);
    }
  }
});

test('every block of the page is run', () => {
  const fences = page.match(/^```/gm) ?? [];
  expect(partsOf(page)).toHaveLength(fences.length / 2);
});

/** The links of related pages. */
test.each([
  'tutorial/first-task.md',
  'how-to/add-a-task.md',
  'benchmarks/episode-harness.md',
  'explanation/witness-and-gate.md',
  'reference/transcript.md',
  'recovery/reward-scorer.md',
  'recovery/trajectory-ledger.md',
])('docs/%s links to files and headings that exist', (name) => {
  expect(brokenLinks(path.join(root, 'docs', name))).toEqual([]);
});
