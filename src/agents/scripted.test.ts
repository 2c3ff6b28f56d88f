import { describe, expect, test } from 'vitest';
import type { AdapterContext, NextMove, ToolCall } from '../episode/index.ts';
import { profileOf, type ToolResult } from '../tools/index.ts';
import { scripted } from './scripted.ts';
import { type Move, TRANSCRIPT_FORMAT, type Transcript } from './transcript.ts';

const click = (selector: string): Move => ({ action: { action: 'click', target: { selector } } });
const says = (text: string, isError = false): ToolResult => ({
  isError,
  text,
  texts: [text],
  blocks: ['text'],
  images: [],
  durationMs: 1,
});

interface Stage {
  server?: string;
  /** What the server answers to each call of the agent, in order. */
  answers?: ToolResult[];
  /** What it answers when it is asked where something is. */
  locate?: (call: ToolCall) => ToolResult;
  tools?: string[];
}

/** Asks the agent until it is done, as an episode does. */
async function replay(transcript: Partial<Transcript>, stage: Stage = {}) {
  const agent = scripted({
    transcript: { format: TRANSCRIPT_FORMAT, task: 't', moves: [], ...transcript },
    profile: profileOf(stage.server ?? 'embedded'),
  });
  const located: ToolCall[] = [];
  const asked: NextMove[] = [];
  const answers = [...(stage.answers ?? [])];
  let last: AdapterContext['last'];
  for (let steps = 0; ; steps++) {
    const move = await agent.next({
      task: { id: 't', title: 't', goal: 'g', startUrl: 'about:blank', maxSteps: 9 },
      tools: (stage.tools ?? []).map((name) => ({ name, description: '', inputSchema: {} })),
      last,
      steps,
      signal: new AbortController().signal,
      locate: async (call) => {
        located.push(call);
        return stage.locate?.(call) ?? says('');
      },
    });
    asked.push(move);
    if ('done' in move) return { asked, located, agent };
    last = { result: answers.shift() ?? says('ok') };
  }
}

test('an empty transcript is done at once, with its answer', async () => {
  expect((await replay({ answer: 'Nothing to do.' })).asked).toEqual([{ done: true, answer: 'Nothing to do.' }]);
});

test('actions become calls of the server at hand, and say what they were made from', async () => {
  const moves: Move[] = [{ action: { action: 'read' } }, click('#go')];
  const { asked, agent } = await replay({ moves });
  expect(agent.kind).toBe('scripted');
  expect(asked).toEqual([
    { tool: 'read_page', arguments: {}, canonical: { action: 'read' } },
    {
      tool: 'interact',
      arguments: { action: 'click', selector: '#go' },
      canonical: { action: 'click', target: { selector: '#go' } },
    },
    { done: true },
  ]);
});

test('a server’s own call goes out as it is', async () => {
  const call = { tool: 'browser_snapshot', arguments: { depth: 2 } };
  const { asked } = await replay({ moves: [{ call }], servers: ['playwright'] }, { server: 'playwright' });
  expect(asked).toEqual([call, { done: true }]);
});

test('a transcript in the words of another server is not tried', async () => {
  const call = { tool: 'browser_snapshot', arguments: {} };
  expect((await replay({ moves: [{ call }], servers: ['playwright', 'other'] })).asked).toEqual([
    { done: true, note: 'The transcript is for playwright, other, not for embedded.' },
  ]);
});

test('an action that fails is gone on from: recovering is what comes next in the transcript', async () => {
  const { asked } = await replay({ moves: [click('#a'), click('#b')] }, { answers: [says('no such element', true)] });
  expect(asked).toHaveLength(3);
});

test('an element that is not there to be named: the action is no step, and the agent says so at the end', async () => {
  const { asked, located } = await replay(
    { moves: [click('#not-there')] },
    { server: 'chrome-devtools', tools: ['click', 'take_snapshot'], locate: () => says('gone wrong', true) },
  );
  expect(located.length).toBeGreaterThan(0);
  expect(asked).toEqual([{ done: true, note: 'Move 1 could not be tried: gone wrong' }]);
});

describe('expectations', () => {
  const expecting = (expectation: NonNullable<Move['expect']>): Move => ({ ...click('#go'), expect: expectation });

  test('that hold let the transcript go on', async () => {
    const moves = [expecting({ isError: false, contains: 'licked' }), expecting({ isError: true })];
    const { asked } = await replay({ moves }, { answers: [says('Clicked.'), says('no', true)] });
    expect(asked).toHaveLength(3);
  });

  test.each<[string, NonNullable<Move['expect']>, ToolResult, string]>([
    [
      'an error that should not be',
      { isError: false },
      says('no such element', true),
      'Move 1 of the transcript expected no error, but the server answered: no such element',
    ],
    [
      'none where one should be',
      { isError: true },
      says('Clicked.'),
      'Move 1 of the transcript expected an error, but the server answered: Clicked.',
    ],
    [
      'another text',
      { contains: 'Hello' },
      says('Goodbye.'),
      'Move 1 of the transcript expected "Hello" in the answer, which is: Goodbye.',
    ],
  ])('%s ends it', async (_, expectation, answer, message) => {
    const replayed = replay({ moves: [expecting(expectation)] }, { answers: [answer] });
    await expect(replayed).rejects.toMatchObject({ code: 'transcript_mismatch', message });
  });

  test('are held of an element that could not be named, too', async () => {
    const stage = { server: 'chrome-devtools', tools: ['click'], locate: () => says('gone wrong', true) };
    await expect(replay({ moves: [expecting({ isError: false })] }, stage)).rejects.toMatchObject({
      message: 'Move 1 of the transcript expected no error, but the server answered: gone wrong',
    });
    expect((await replay({ moves: [expecting({ isError: true })] }, stage)).asked).toHaveLength(1);
  });
});
