import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { documentedEvents, testFolder } from '../../../test/journal/documented-events.ts';
import { type JournalEvent, messagesOf, type RunPlan } from '../../events/index.ts';
import { FolderRunStore } from '../folder/folder-run-store.ts';
import { importTraces } from '../import-trace/import-traces.ts';
import { readEvents } from '../report.ts';
import { atifDocumentSchema } from './atif-schema.ts';
import { type ExportFormat, exportRun } from './export-run.ts';

const CELLS = [
  { caseId: 'send-form', trial: 1 },
  { caseId: 'never-begun', trial: 1 },
];

/** The page's episode, with a picture, a turn of a model and an answer that a spreadsheet would take for a formula. */
async function runIn(root: string): Promise<JournalEvent[]> {
  const plan: RunPlan = {
    runId: 'run-1',
    suite: { name: 'test', hash: 'test' },
    variant: { kind: 'agent', agent: { kind: 'scripted' }, server: { name: 'embedded' } },
    trials: 1,
    cells: CELLS,
    inputs: { hash: 'test', of: {} },
    createdAt: 0,
  };
  const attempt = { runId: 'run-1', caseId: 'send-form', trial: 1, attempt: 1 };
  const events = documentedEvents.map((event): JournalEvent => {
    if (event.type === 'start') return { ...event, runId: 'run-1', taskId: 'send-form' };
    return event.type === 'stop' ? { ...event, answer: '=1+1' } : event;
  });
  await new FolderRunStore(root).addFinished(plan, [{ attempt, events }]);
  return events;
}

async function exported(format: ExportFormat, more: { endpoint?: string; content?: boolean } = {}) {
  const folder = testFolder();
  const events = await runIn(folder('run'));
  const screenshot = events.find((event) => event.type === 'screenshot' && event.file !== undefined);
  const picture = screenshot?.type === 'screenshot' ? (screenshot.file ?? '') : '';
  const at = path.join(folder('run'), 'episodes/send-form/trial-1', picture);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, 'a picture');
  const { signal } = new AbortController();
  const out = folder('out');
  const done = await exportRun(folder('run'), {
    format,
    out,
    content: false,
    headers: {},
    version: '1',
    signal,
    ...more,
  });
  return { folder, events, picture, done, out, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('CSV has a line for each planned cell, and no formulas', async () => {
  using made = await exported('csv');
  expect(made.done).toMatchObject({ format: 'csv', attempts: 2, to: made.out });
  const [header = '', first = '', second = '', ...rest] = readFileSync(made.out, 'utf8').split('\r\n');
  const names = header.split(',');
  expect(rest).toEqual(['']);
  const fieldOf = (line: string, name: string): string | undefined =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)][names.indexOf(name)]?.[1];
  expect(fieldOf(first, 'task_id')).toBe('"send-form"');
  expect(fieldOf(first, 'answer')).toBe('"\'=1+1"');
  expect(fieldOf(second, 'task_id')).toBe('"never-begun"');
  expect([fieldOf(second, 'state'), fieldOf(second, 'steps')]).toEqual(['"pending"', '']);
});

test('an ATIF trajectory holds to its schema, has the pictures beside it, and can be imported again with nothing lost', async () => {
  using made = await exported('atif');
  const { folder, events, picture } = made;
  const file = path.join(made.out, 'send-form/trial-1/trajectory.json');
  const document = atifDocumentSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(readFileSync(path.join(path.dirname(file), picture), 'utf8')).toBe('a picture');
  expect(document.steps.map(({ step_id }) => step_id)).toEqual(document.steps.map((_, index) => index + 1));

  const [start] = events;
  if (start?.type !== 'start') throw new Error('the journal begins with its start');
  writeFileSync(
    folder('task.json'),
    JSON.stringify({ title: 'Send', startUrl: 'https://a.example/', ...Object(start.task) }),
  );
  const { root } = await importTraces({
    files: [file],
    task: 'task.json',
    out: 'again',
    cwd: folder('.'),
    version: '0',
  });
  const again = await readEvents(path.join(root, 'episodes', 'local-form-submit', 'trial-1', 'events.jsonl'));
  expect(callsOf(again)).toEqual(callsOf(events));
  expect(tokensOf(again)).toEqual(tokensOf(events));
  expect(saidOf(again)).toEqual(saidOf(events));
});

/** The agent's calls with their results. */
function callsOf(events: readonly JournalEvent[]): object[] {
  const messages = messagesOf(events);
  return messages.flatMap((message): object[] => {
    if (message.type === 'tool_call') return [{ tool: message.tool, id: message.toolCallId, params: message.params }];
    return message.type === 'tool_result'
      ? [{ id: message.toolCallId, text: message.result, isError: message.isError }]
      : [];
  });
}

const saidOf = (events: readonly JournalEvent[]): string[] =>
  messagesOf(events).flatMap((message) =>
    message.type === 'user' || message.type === 'assistant' ? [message.content] : [],
  );

/** In all: a step of a trajectory may sum several calls of a model. */
function tokensOf(events: readonly JournalEvent[]): number[] {
  const usage = events.flatMap((event) => (event.type === 'usage' && event.role !== 'grader' ? [event] : []));
  const sum = (name: 'inputTokens' | 'outputTokens' | 'cachedInputTokens'): number =>
    usage.reduce((total, event) => total + (event[name] ?? 0), 0);
  return [sum('inputTokens'), sum('outputTokens'), sum('cachedInputTokens')];
}

test('Online-Mind2Web gets a folder for each task, as its judge reads it', async () => {
  using made = await exported('online-mind2web');
  const result = JSON.parse(readFileSync(path.join(made.out, 'send-form/result.json'), 'utf8'));
  const schema = z.strictObject({
    task_id: z.literal('send-form'),
    task: z.literal('Send the form.'),
    final_result_response: z.literal('=1+1'),
    action_history: z.array(z.string()).min(1),
    thoughts: z.array(z.string()),
  });
  const { action_history, thoughts } = schema.parse(result);
  expect(thoughts).toHaveLength(action_history.length);
  expect(readFileSync(path.join(made.out, 'send-form/trajectory/0_full_screenshot.jpg'), 'utf8')).toBe('a picture');
});

test('OTLP has a span for the attempt, its calls and its models, without texts unless they are asked for', async () => {
  using made = await exported('otlp');
  const spans = spansIn(readFileSync(made.out, 'utf8'));
  const [root, ...others] = spans;
  expect(root).toMatchObject({ name: expect.stringMatching(/^invoke_agent /), kind: 1 });
  expect(others.every(({ parentSpanId, traceId }) => parentSpanId === root?.spanId && traceId === root?.traceId)).toBe(
    true,
  );
  const calls = made.events.filter(({ type }) => type === 'tool_call').length;
  expect(spans.filter(({ name }) => name.startsWith('execute_tool '))).toHaveLength(calls);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  expect(JSON.stringify(spans)).not.toContain('gen_ai.tool.call.arguments');
  using withContent = await exported('otlp', { content: true });
  expect(readFileSync(withContent.out, 'utf8')).toContain('gen_ai.tool.call.arguments');
});

test('a name in a journal leads nowhere outside of its attempt', async () => {
  using folder = testFolder();
  writeFileSync(folder('secret.jpg'), 'not of the run');
  const events = await runIn(folder('run'));
  const journal = path.join(folder('run'), 'episodes/send-form/trial-1/events.jsonl');
  const hostile = events.map((event) =>
    event.type === 'screenshot' && event.file !== undefined ? { ...event, file: '../../../../secret.jpg' } : event,
  );
  writeFileSync(journal, hostile.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { signal } = new AbortController();
  for (const format of ['atif', 'online-mind2web'] as const) {
    const out = folder(`deep/er/and/${format}`);
    await exportRun(folder('run'), { format, out, content: false, headers: {}, version: '1', signal });
    expect(existsSync(path.join(out, 'send-form/trajectory/0_full_screenshot.jpg'))).toBe(false);
  }
  expect(readFileSync(folder('secret.jpg'), 'utf8')).toBe('not of the run');
});

interface SpanRead {
  name: string;
  kind: number;
  spanId: string;
  traceId: string;
  parentSpanId?: string;
}

function spansIn(text: string): SpanRead[] {
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans);
}
