/** The tutorial, typed as it stands into an empty folder. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plainEnvironment, runProcess } from '../house/run-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/tutorial/first-task.md'), 'utf8');

type Part =
  | { do: 'write'; file: string; text: string }
  | { do: 'type'; line: string }
  | { do: 'expect'; lines: string[] };

/** Files (their name in the line above), commands (`sh`) and what they say (`text`), in the order of the page. */
function partsOf(text: string): Part[] {
  return [...text.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$/gms)].map(([, file, language, body = '']) => {
    if (file !== undefined) return { do: 'write', file, text: body };
    if (language === 'sh') return { do: 'type', line: body };
    if (language === 'text') return { do: 'expect', lines: body.trimEnd().split('\n') };
    throw new Error(`a block that is neither file, command nor output: ${body}`);
  });
}

/** `…` stands for anything: on a line of its own for any lines, inside one for a part of it. */
function matcher(lines: readonly string[]): RegExp {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  const pattern = lines.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${literal(line)}\\n`)).join('');
  return new RegExp(`^${pattern}$`);
}

function temporaryFolder(): Disposable & { folder: string } {
  // A short name: @playwright/mcp makes sockets below it.
  const folder = mkdtempSync(path.join(tmpdir(), 'wm-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

test('every file and command of the tutorial does what the page says', async () => {
  using desk = temporaryFolder();
  const { folder } = desk;
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
      // A person's terminal shows both streams.
      const ended = await runProcess('sh', ['-c', `exec 2>&1\n${part.line}`], { cwd: work, env });
      said = ended.out;
      // What a page does not show must be fine.
      if (ended.code !== 0) throw new Error(`${part.line} ended with ${ended.code}: ${said}`);
    }
  }
});

test('the commands and files that the page names are all run: no block is left out', () => {
  const fences = page.match(/^```/gm) ?? [];
  expect(partsOf(page)).toHaveLength(fences.length / 2);
});

/** Pages that belong to it, each with its links. */
test.each([
  'tutorial/first-task.md',
  'how-to/add-a-task.md',
  'benchmarks/episode-harness.md',
  'explanation/witness-and-gate.md',
  'reference/transcript.md',
  'recovery/reward-scorer.md',
  'recovery/trajectory-ledger.md',
])('docs/%s links to files and headings that are there', (name) => {
  const docs = path.join(root, 'docs');
  const text = readFileSync(path.join(docs, name), 'utf8');
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => String(link));
  const broken = links.filter((link) => {
    const [file = '', heading] = link.split('#');
    const target = path.resolve(docs, path.dirname(name), file);
    if (!existsSync(target)) return true;
    return heading !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(heading);
  });
  expect(broken).toEqual([]);
});

/** As GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
