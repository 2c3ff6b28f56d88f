/** A page that is written to be typed, as a test: every file is written and every command typed as it stands there, in an empty folder. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainEnvironment, runProcess } from '../repository/run-process.ts';
import { matcher, partsOf } from './typed-page.ts';

const root = path.resolve(import.meta.dirname, '../..');

function temporaryFolder(): Disposable & { folder: string } {
  // A short name, because @playwright/mcp creates sockets in it, whose paths are limited.
  const folder = mkdtempSync(path.join(tmpdir(), 'wm-'));
  return {
    folder,
    [Symbol.dispose]: () => {
      for (const name of ['model.pid', 'one.pid', 'two.pid']) endBackground(path.join(folder, 'work', name));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A page that fails in the middle has not ended what it started in the background. */
function endBackground(pidFile: string): void {
  if (!existsSync(pidFile)) return;
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  } catch {
    // It has ended, as the page says.
  }
}

/** `atLeast`: the fewest commands and files that the page must be read to have. A block that is not recognised would not be run. */
export function testTypedPage(
  name: string,
  atLeast: { commands: number; files: number },
  /** What the page says that the reader has set. */
  variables: () => NodeJS.ProcessEnv = () => ({}),
): void {
  const page = readFileSync(path.join(root, 'docs', name), 'utf8');
  describe(`docs/${name}`, () => {
    test('every file and command works as written', { timeout: 300_000 }, async () => {
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
        WAYMARK: root,
        WAYMARK_STATE_DIR: path.join(folder, 's'),
        NO_COLOR: '1',
        ...variables(),
      });
      const parts = partsOf(page);
      expect(parts.filter((part) => part.do === 'type').length).toBeGreaterThanOrEqual(atLeast.commands);
      expect(parts.filter((part) => part.do === 'write').length).toBeGreaterThanOrEqual(atLeast.files);
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

    test('every block is run', () => {
      const fences = page.match(/^```/gm) ?? [];
      expect(partsOf(page)).toHaveLength(fences.length / 2);
    });
  });
}
