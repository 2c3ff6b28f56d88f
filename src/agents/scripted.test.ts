import { describe, expect, test } from 'vitest';
import type { AgentOutcome, ToolCall } from '../episode/index.ts';
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
  /** What the server answers to each step of the agent, in order. */
  answers?: ToolResult[];
  /** What it answers when it is asked where something is. */
  locate?: (call: ToolCall) => ToolResult;
  tools?: string[];
  /** What each of them takes. */
  schema?: Record<string, unknown>;
}

/** Of the servers that are used here. */
const TOOLS = ['interact', 'read_page', 'list_pages', 'take_snapshot', 'click', 'browser_click', 'browser_file_upload'];

interface Replayed {
  kind: string;
  steps: (ToolCall & { canonical?: unknown; untried?: unknown })[];
  looks: ToolCall[];
  /** Further calls of the steps' moves. */
  further: ToolCall[];
  outcome: AgentOutcome;
}

/** Lets the agent run against a session that answers as the stage says. */
async function replay(transcript: Partial<Transcript>, stage: Stage = {}): Promise<Replayed> {
  const agent = scripted({
    transcript: { format: TRANSCRIPT_FORMAT, task: 't', moves: [], ...transcript },
    profile: profileOf(stage.server ?? 'embedded'),
  });
  const steps: Replayed['steps'] = [];
  const looks: ToolCall[] = [];
  const further: ToolCall[] = [];
  const answers = [...(stage.answers ?? [])];
  const nothing = { used: 0, limit: undefined };
  const unspent = { ...nothing, isComplete: true };
  const outcome = await agent.run({
    task: { id: 't', title: 't', goal: 'g', startUrl: 'about:blank', maxSteps: 9 },
    tools: (stage.tools ?? TOOLS).map((name) => ({ name, description: '', inputSchema: stage.schema ?? {} })),
    signal: new AbortController().signal,
    budget: { steps: nothing, looks: nothing, time: nothing, tokens: unspent, cost: unspent },
    step: async (call, { canonical, followUp, untried } = {}) => {
      steps.push({ ...call, ...(canonical === undefined ? {} : { canonical }), ...(untried ? { untried } : {}) });
      if (untried) return says(untried.sentence, true);
      let answer = answers.shift() ?? says('ok');
      for (let next = followUp?.(answer); next; next = followUp?.(answer)) {
        further.push(next);
        answer = answers.shift() ?? says('ok');
      }
      return answer;
    },
    look: async (call) => {
      looks.push(call);
      return stage.locate?.(call) ?? says('');
    },
    say: () => {},
    executor: () => Promise.reject(new Error('a transcript has one lane')),
  });
  return { kind: agent.kind, steps, further, looks, outcome };
}

test('an empty transcript is done at once, with its answer', async () => {
  expect(await replay({ answer: 'Nothing to do.' })).toMatchObject({
    steps: [],
    outcome: { answer: 'Nothing to do.' },
  });
});

test('actions become calls of the server at hand, and say what they were made from', async () => {
  const moves: Move[] = [{ action: { action: 'read' } }, click('#go')];
  const { steps, outcome, kind } = await replay({ moves });
  expect(kind).toBe('scripted');
  expect(steps).toEqual([
    { tool: 'read_page', arguments: {}, canonical: { action: 'read' } },
    {
      tool: 'interact',
      arguments: { action: 'click', selector: '#go' },
      canonical: { action: 'click', target: { selector: '#go' } },
    },
  ]);
  expect(outcome).toEqual({});
});

test('an action that takes a server several calls is one step, and a failed call of it is its result', async () => {
  const upload: Move = { action: { action: 'upload', target: { selector: '#file' }, files: ['/a.txt'] } };
  const stage = { server: 'playwright' };
  const { steps, further } = await replay({ moves: [upload] }, stage);
  expect(steps.map(({ tool }) => tool)).toEqual(['browser_click']);
  expect(further.map(({ tool }) => tool)).toEqual(['browser_file_upload']);
  const failing = { ...upload, expect: { isError: false } };
  await expect(
    replay({ moves: [failing] }, { ...stage, answers: [says('ok'), says('no', true)] }),
  ).rejects.toMatchObject({ code: 'transcript_mismatch' });
});

test('a server’s own call goes out as it is', async () => {
  const call = { tool: 'browser_snapshot', arguments: { depth: 2 } };
  const { steps } = await replay({ moves: [{ call }], servers: ['playwright'] }, { server: 'playwright' });
  expect(steps).toEqual([call]);
});

test('a transcript in the words of another server is not tried', async () => {
  const call = { tool: 'browser_snapshot', arguments: {} };
  expect(await replay({ moves: [{ call }], servers: ['playwright', 'other'] })).toMatchObject({
    steps: [],
    outcome: { note: 'The transcript is for playwright, other, not for embedded.' },
  });
});

test('an action that fails is gone on from: recovering is what comes next in the transcript', async () => {
  const { steps } = await replay({ moves: [click('#a'), click('#b')] }, { answers: [says('no such element', true)] });
  expect(steps).toHaveLength(2);
});

test('an element that is not there to be named: the action is a step that fails, and nothing is sent', async () => {
  const { steps, looks, outcome } = await replay(
    { moves: [click('#not-there')] },
    { server: 'chrome-devtools', locate: () => says('gone wrong', true) },
  );
  expect(looks.length).toBeGreaterThan(0);
  expect(steps).toEqual([
    {
      tool: 'click',
      arguments: { target: { selector: '#not-there' } },
      canonical: { action: 'click', target: { selector: '#not-there' } },
      untried: { kind: 'locate_failed', sentence: 'gone wrong' },
    },
  ]);
  expect(outcome).toEqual({});
});

describe('what the server can’t do is its fault, and no move of the agent that failed', () => {
  const ref = { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] };
  const refused = [says('Invalid arguments', true)];

  test.each<[string, Stage, string]>([
    [
      'a call of a tool that it does not have',
      { tools: ['read_page'] },
      'This version of the server has no tool "interact".',
    ],
    [
      'arguments that its schema refuses',
      { schema: ref },
      'The server\'s tool "interact" requires "ref", which is not known here.',
    ],
  ])('%s', async (_, stage, message) => {
    const replayed = replay({ moves: [click('#go')] }, { ...stage, answers: [...refused] });
    await expect(replayed).rejects.toMatchObject({
      code: 'action_unsupported',
      message,
    });
  });

  test('an error of a call that fits is about the page, and gone on from', async () => {
    const fits = { type: 'object', properties: { action: {}, selector: {} }, additionalProperties: false };
    const { steps } = await replay({ moves: [click('#a'), click('#b')] }, { schema: fits, answers: [...refused] });
    expect(steps).toHaveLength(2);
  });
});

describe('expectations', () => {
  const expecting = (expectation: NonNullable<Move['expect']>): Move => ({ ...click('#go'), expect: expectation });

  test('that hold let the transcript go on', async () => {
    const moves = [expecting({ isError: false, contains: 'licked' }), expecting({ isError: true })];
    const { steps } = await replay({ moves }, { answers: [says('Clicked.'), says('no', true)] });
    expect(steps).toHaveLength(2);
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
    const stage = { server: 'chrome-devtools', locate: () => says('gone wrong', true) };
    await expect(replay({ moves: [expecting({ isError: false })] }, stage)).rejects.toMatchObject({
      message: 'Move 1 of the transcript expected no error, but the server answered: gone wrong',
    });
    expect((await replay({ moves: [expecting({ isError: true })] }, stage)).steps).toHaveLength(1);
  });
});
