import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CanonicalAction } from '../tools/index.ts';
import { parseTranscript, readTranscript, TRANSCRIPT_FORMAT } from './transcript.ts';

const good = { format: TRANSCRIPT_FORMAT, task: 'a', moves: [{ action: { action: 'read' } }] };
const root = path.resolve(import.meta.dirname, '../..');

function problems(input: unknown): string[] {
  try {
    parseTranscript(input, 'a.json');
    return [];
  } catch (error) {
    expect(error).toMatchObject({
      code: 'usage_bad_transcript',
      hint: 'docs/reference/transcript.md describes the format.',
    });
    return (error as Error).message.split('\n');
  }
}
const withMove = (move: unknown): string[] => problems({ ...good, moves: [move] }).slice(1);

test('actions and a server’s own calls, with expectations', () => {
  const transcript = {
    ...good,
    about: 'How it goes.',
    servers: ['embedded'],
    moves: [
      { action: { action: 'click', target: { selector: '#go' } }, expect: { isError: false, contains: 'Clicked' } },
      { call: { tool: 'read_page' } },
    ],
    answer: 'Done.',
  };
  expect(parseTranscript(transcript, 'a.json')).toEqual({
    ...transcript,
    moves: [transcript.moves[0], { call: { tool: 'read_page', arguments: {} } }],
  });
});

test.each(['fixtures/tasks/oracles', 'fixtures/tasks-failing/transcripts', 'fixtures/tasks-judged/oracles'])(
  'every file of %s is one',
  (folder) => {
    const files = readdirSync(path.join(root, folder));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(readTranscript(path.join(root, folder, file)).moves.length).toBeGreaterThan(0);
  },
);

describe('docs/reference/transcript.md', () => {
  const page = readFileSync(path.join(root, 'docs/reference/transcript.md'), 'utf8');

  test('shows transcripts that are some', () => {
    const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => JSON.parse(text));
    expect(blocks.map((block) => parseTranscript(block, 'the page').moves.length)).toEqual([5, 1]);
  });

  test('names every action with every field of it', () => {
    const rows = new Map(
      [...page.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name = '', fields = '']) => [name, fields] as const),
    );
    for (const option of CanonicalAction.options) {
      const { action, ...fields } = option.shape;
      const row = rows.get(action.value) ?? '';
      expect(
        Object.keys(fields).filter((field) => !row.includes(`\`${field}\``)),
        action.value,
      ).toEqual([]);
      expect(rows.has(action.value), action.value).toBe(true);
    }
  });
});

describe('an invalid transcript', () => {
  test('another format', () => {
    expect(problems({ ...good, format: 'v2' })).toEqual([
      'a.json is not a valid transcript:',
      '$.format: Invalid input: expected "waymark.transcript.v1"',
    ]);
  });

  test('an unknown field, a missing one, too many moves', () => {
    expect(problems({ ...good, steps: [] })[1]).toBe('$: Unrecognized key: "steps"');
    expect(problems({ format: TRANSCRIPT_FORMAT, moves: [] })[1]).toBe(
      '$.task: Invalid input: expected string, received undefined',
    );
    expect(problems({ ...good, moves: Array(201).fill(good.moves[0]) })[1]).toBe(
      '$.moves: Too big: expected array to have <=200 items',
    );
  });

  test.each<[string, unknown, string[]]>([
    [
      'an element named twice',
      { action: { action: 'click', target: { selector: 'a', text: 'b' } } },
      ['$.moves[0].action.target: name the element by exactly one of selector, role (with name), text, ref and at'],
    ],
    [
      'an action without its element',
      { action: { action: 'click' } },
      ['$.moves[0].action.target: Invalid input: expected object, received undefined'],
    ],
    [
      'a wait for two things',
      { action: { action: 'wait', text: 'a', ms: 5 } },
      ['$.moves[0].action: wait for exactly one of text, selector, url and ms'],
    ],
    [
      'an action and a call',
      { action: { action: 'read' }, call: { tool: 'x' } },
      ['$.moves[0]: Unrecognized key: "action"'],
    ],
    [
      'a call without a tool',
      { call: { arguments: {} } },
      ['$.moves[0].call.tool: Invalid input: expected string, received undefined'],
    ],
    [
      'an unknown expectation',
      { action: { action: 'read' }, expect: { status: 200 } },
      ['$.moves[0].expect: Unrecognized key: "status"'],
    ],
    ['no move', 5, ['$.moves[0]: Invalid input: expected object, received number']],
  ])('%s', (_, move, lines) => {
    expect(withMove(move)).toEqual(lines);
  });

  test('an unknown action, with those that are known', () => {
    expect(withMove({ action: { action: 'jump' } })).toEqual([
      expect.stringMatching(/^\$\.moves\[0\]\.action\.action: .*'navigate' \| 'read' \| 'screenshot' \| 'click'/),
    ]);
  });

  test('at most ten problems are reported', () => {
    expect(problems({ ...good, moves: Array(50).fill({}) })).toHaveLength(1 + 10);
  });
});

test('a file that is not there, and one that is no JSON, are said by name', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-transcript-'));
  const file = path.join(folder, 'a.json');
  expect(() => readTranscript(file)).toThrow(
    `The transcript ${file} can't be read: ENOENT: no such file or directory, open '${file}'`,
  );
  writeFileSync(file, '{');
  expect(() => readTranscript(file)).toThrow(`The transcript ${file} can't be read: `);
  rmSync(folder, { recursive: true });
});
