/** metadata.json, messages.jsonl and ledger.jsonl: there in every case, and nothing but what the journal gives. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LoadedTask, parseTask } from '../../src/cases/index.ts';
import { isToolCall, isToolResult, ledgerLines, metadataSchema } from '../../src/events/index.ts';
import { readMessages } from '../../src/journal/index.ts';
import { executeRun, FolderRunStore, readAgentResult, resolveRun, writeReports } from '../../src/runs/index.ts';
import { rebuildEpisodeFiles } from '../../src/runs/rebuild-files.ts';
import { temporaryFolder } from '../cli/command-line.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { click, moves, type Played, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const missing = { tool: 'interact', arguments: { action: 'click', selector: '#not-there', timeoutMs: 100 } };

const files = ({ folder }: Pick<Played, 'folder'>): string[] =>
  ['metadata.json', 'ledger.jsonl', 'messages.jsonl'].map((name) => {
    const file = path.join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  });
const messagesOf = ({ folder }: Pick<Played, 'folder'>) => readMessages(path.join(folder, 'messages.jsonl'));
const metadataOf = (played: Pick<Played, 'folder'>) => metadataSchema.parse(JSON.parse(files(played)[0] ?? ''));

/** What was written while it went on is what the journal gives afterwards, to the byte. */
function expectDerived(played: Played): void {
  const before = files(played);
  rebuildEpisodeFiles(played.folder, played.events);
  expect(files(played)).toEqual(before);
}

test('an episode that ends by itself: four numbers, the errors on the way, the grade; a ledger with its recovery', async () => {
  const played = await play(
    lab,
    task(lab, START),
    moves(read, missing, missing, read, click('#advance'), click('#advance'), click('#advance')),
    { dataset: 'a-suite' },
  );
  const metadata = metadataOf(played);
  expect(metadata).toMatchObject({
    query_id: 'test-task',
    dataset: 'a-suite',
    query: 'Do it.',
    total_steps: 7,
    tool_calls: 8,
    // One for the start, one a step, one for the end; pages that did not change share theirs.
    screenshots: { attempted: 9, written: 4 },
    termination_reason: 'completed',
    final_answer: null,
    errors: [
      { source: 'mcp_tool', details: { tool: 'interact', kind: 'element_not_found' } },
      { source: 'mcp_tool', details: { tool: 'interact', kind: 'element_not_found' } },
    ],
    warnings: [],
    agent_config: { kind: 'test' },
    grader_results: { contract: { verdict: 'pass', score: 1, reasoning: 'The contract passed after step 7.' } },
  });
  expect(Date.parse(metadata.completed_at) - Date.parse(metadata.started_at)).toBe(metadata.total_duration_ms);
  const nodes = ledgerLines(played.events)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status: string; failure?: string; recoveryTool?: string });
  expect(nodes.map(({ status }) => status)).toEqual([
    'success',
    'error',
    'error',
    'no_progress',
    'recovered',
    'success',
    'success',
  ]);
  expect(nodes[1]?.failure).toMatch(/^element_not_found:interact:/);
  expect(nodes[2]?.failure).toBe(nodes[1]?.failure);
  expect(nodes[4]?.recoveryTool).toBe('interact');
  const messages = await messagesOf(played);
  expect(messages[0]).toMatchObject({ type: 'user', content: 'Do it.' });
  expect(messages.filter(isToolCall)).toHaveLength(7);
  const results = messages.filter(isToolResult);
  expect(results.map(({ isError }) => isError)).toEqual([false, true, true, false, false, false, false]);
  // The number is that of the file which the journal ties to the call.
  for (const { toolCallId, screenshot } of results) {
    const picture = played.of('screenshot').find(({ callId }) => callId === toolCallId);
    expect(picture?.file).toBe(`screenshots/${String(screenshot).padStart(3, '0')}.jpg`);
  }
  expectDerived(played);
});

test('a call that the deadline cuts off is an aborted attempt; an answer is kept; a failed picture is a warning', async () => {
  const hang = { tool: 'wait_for', arguments: { text: 'never to be seen', timeoutMs: 30_000 } };
  const cut = await play(lab, task(lab, START, { maxDurationMs: 2_500 }), moves(read, hang));
  expect(metadataOf(cut)).toMatchObject({ termination_reason: 'timeout', total_steps: 2 });
  expect(files(cut)[1]?.trim().split('\n').at(-1)).toContain('"tool":"wait_for"');
  expect(files(cut)[1]?.trim().split('\n').at(-1)).toContain('"status":"aborted"');
  expect((await messagesOf(cut)).at(-1)).toMatchObject({ type: 'tool_result', isError: true });
  expectDerived(cut);

  const dialog = await play(
    lab,
    task(lab, '/dialogs'),
    moves(click('#alert'), { done: true, answer: 'There is an alert.' }),
  );
  expect(metadataOf(dialog)).toMatchObject({
    termination_reason: 'completed',
    final_answer: 'There is an alert.',
    warnings: [{ source: 'screenshot', message: 'a dialog is open (alert)' }, { source: 'screenshot' }],
    grader_results: { contract: { verdict: 'fail', score: 0 } },
  });
  expect((await messagesOf(dialog)).at(-1)).toMatchObject({ type: 'assistant', content: 'There is an alert.' });
  expectDerived(dialog);
});

test('an episode that ended before the agent was asked has its metadata, and no ledger', async () => {
  const reset = { ok: false, findings: ['cookies: left (x.test)'], durationMs: 1 };
  const dirty = await play(lab, task(lab, START), moves(read), { reset });
  expect(metadataOf(dirty)).toMatchObject({
    total_steps: 0,
    tool_calls: 0,
    screenshots: { attempted: 0, written: 0 },
    termination_reason: 'error',
    errors: [{ source: 'window_creation', message: 'The browser was not clean: cookies: left (x.test).' }],
    grader_results: { contract: { verdict: 'error', score: null } },
  });
  expect(files(dirty)[1]).toBe('');
  expect(await messagesOf(dirty)).toMatchObject([
    { type: 'user', content: 'Do it.' },
    { type: 'error', errorCode: 'reset', content: 'The browser was not clean: cookies: left (x.test).' },
  ]);
  expectDerived(dirty);
});

test('an episode that could not even be begun has its metadata', async () => {
  using root = temporaryFolder();
  const parsed = parseTask(task(lab, START));
  if (!parsed.ok) throw new Error('no task');
  const loaded: LoadedTask = { task: parsed.task, source: 'here', folder: root.path, dataset: 'a-suite' };
  const run = await resolveRun({
    tasks: [loaded],
    agent: { kind: 'test', make: () => moves(read) },
    server: {
      server: 'custom',
      command: ['/nowhere/server', '{cdpHttp}'],
      attach: 'gate',
      navigate: { tool: 'go' },
      observe: ['look'],
    },
    version: '0',
  });
  const { runId } = run.plan;
  const execute = async () => {
    using store = new FolderRunStore(root.path);
    const { notBegun } = await executeRun(run, { store, browsers: { pool: lab.pool } });
    return { notBegun, cells: await Array.fromAsync(store.cells(runId)), store };
  };
  const { notBegun, cells, store } = await execute();
  const [first] = notBegun;
  expect(first?.reason).toContain('/nowhere/server');
  const folder = store.folderOf({ runId, caseId: 'test-task', trial: 1, attempt: 1 });
  expect(metadataOf({ folder })).toMatchObject({
    query_id: 'test-task',
    dataset: 'a-suite',
    total_steps: 0,
    termination_reason: 'error',
    errors: [{ source: 'mcp_tool', message: first?.reason }],
    grader_results: { contract: { verdict: 'error', details: { outcome: 'server_error' } } },
  });
  expect(await messagesOf({ folder })).toMatchObject([
    { type: 'user', content: 'Do it.' },
    { type: 'error', errorCode: 'mcp_tool', content: first?.reason },
  ]);
  const result = await readAgentResult(folder);
  expect(result.metadata).toEqual(metadataOf({ folder }));
  expect(result.messages).toEqual(await messagesOf({ folder }));
  await expect(readAgentResult(root.path)).rejects.toMatchObject({ code: 'attempt_not_found' });
  expect(cells).toMatchObject([{ state: 'missing', attempts: [{ finished: false, notBegun: first?.reason }] }]);
  expect((await writeReports(root.path)).report.summary).toMatchObject({ episodes: 1, outcomes: { server_error: 1 } });
  // The next time it is another attempt: what is known of this one stays.
  const again = await execute();
  expect(again.notBegun).toMatchObject([{ attempt: { attempt: 2 } }]);
  expect(again.cells).toMatchObject([{ attempts: [{ attempt: 1, notBegun: first?.reason }, { attempt: 2 }] }]);
});

test('a task that says that the server does not support it is not begun, and is no failure of the agent', async () => {
  using root = temporaryFolder();
  const unsupported = { embedded: 'It has no tool for that.' };
  const parsed = parseTask(task(lab, START, { unsupported }));
  if (!parsed.ok) throw new Error('no task');
  const tasks: LoadedTask[] = [{ task: parsed.task, source: 'here', folder: root.path }];
  const run = await resolveRun({ tasks, agent: { kind: 'test', make: () => moves(read) }, version: '0' });
  using store = new FolderRunStore(root.path);
  const { notBegun } = await executeRun(run, { store, browsers: { pool: lab.pool } });
  const reason = 'The task says that embedded does not support it: It has no tool for that.';
  expect(notBegun).toMatchObject([{ reason }]);
  expect((await writeReports(root.path)).report.summary).toMatchObject({
    notBegun: 1,
    outcomes: { server_error: 1 },
    validOnly: { of: 0 },
  });
});

test('an agent that can’t be made leaves a journal, metadata and messages, and the run goes on (trap 6)', async () => {
  using root = temporaryFolder();
  const tasks = ['first', 'second'].map((id): LoadedTask => {
    const parsed = parseTask(task(lab, START, { id, maxSteps: 1 }));
    if (!parsed.ok) throw new Error('no task');
    return { task: parsed.task, source: 'here', folder: root.path };
  });
  const run = await resolveRun({
    tasks,
    agent: {
      kind: 'broken',
      config: { model: 'none' },
      make: ({ task: { id } }) => {
        if (id === 'first') throw new Error('There is no such model.');
        return moves(read);
      },
    },
    version: '0',
  });
  using store = new FolderRunStore(root.path);
  const { notBegun } = await executeRun(run, { store, browsers: { pool: lab.pool } });
  expect(notBegun).toEqual([]);
  const folderOf = (caseId: string) => store.folderOf({ runId: run.plan.runId, caseId, trial: 1, attempt: 1 });
  const { metadata, messages, finalAnswer } = await readAgentResult(folderOf('first'));
  expect(metadata).toEqual(metadataOf({ folder: folderOf('first') }));
  expect(metadata).toMatchObject({
    query_id: 'first',
    total_steps: 0,
    termination_reason: 'error',
    agent_config: { kind: 'broken', model: 'none' },
    errors: [{ source: 'agent_execution', message: 'The agent failed: There is no such model.' }],
    grader_results: { contract: { verdict: 'error', details: { outcome: 'adapter_error' } } },
  });
  expect(messages.map(({ type }) => type)).toEqual(['user', 'error']);
  expect(finalAnswer).toBeNull();
  expect(metadataOf({ folder: folderOf('second') })).toMatchObject({ total_steps: 1, termination_reason: 'max_steps' });
});

test('what a task fixes in its pages holds there, and stands in the journal and in metadata.json', async () => {
  using root = temporaryFolder();
  const determinism = {
    seed: 7,
    clock: { start: '2020-01-02T03:04:05Z', mode: 'frozen' },
    timezone: 'Asia/Tokyo',
    locale: 'de-DE',
  };
  const leaf = (selector: string, contains: string) => ({ kind: 'dom_text', selector, contains });
  const parsed = parseTask({
    ...task(lab, '/random'),
    determinism,
    setup: { viewport: { width: 801, height: 602 } },
    success: {
      kind: 'and',
      children: [
        leaf('#random-1', '0.0117'),
        leaf('#now', String(Date.parse('2020-01-02T03:04:05Z'))),
        leaf('#time-zone', 'Asia/Tokyo'),
        leaf('#language', 'de-DE'),
        leaf('#viewport', '801x602'),
      ],
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const run = await resolveRun({
    tasks: [{ task: parsed.task, source: 'here', folder: root.path }],
    agent: { kind: 'reader', make: () => moves(read) },
    version: '0',
  });
  using store = new FolderRunStore(root.path);
  await executeRun(run, { store, browsers: { pool: lab.pool } });
  const folder = store.folderOf({ runId: run.plan.runId, caseId: 'test-task', trial: 1, attempt: 1 });
  const fixed = { ...determinism, viewport: { width: 801, height: 602 } };
  expect(metadataOf({ folder })).toMatchObject({
    determinism: fixed,
    grader_results: { contract: { verdict: 'pass' } },
  });
  const [start] = readFileSync(path.join(folder, 'events.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(start ?? '')).toMatchObject({ type: 'start', environment: { seed: 7, determinism: fixed } });
});

test('what the server and other slots are noted for stands in the journal as warnings, before the stop', async () => {
  const note = 'the clipboard, shared by the browser, was emptied for another slot';
  const { events, result } = await play(lab, task(lab, START), moves({ done: true }), {
    before: (slot) => slot.note(note),
    change: (server) => ({ ...server, notes: () => [{ source: 'server', message: 'It is slow.' }, ...server.notes()] }),
  });
  expect(events.slice(-3)).toMatchObject([
    { type: 'warning', source: 'server', message: 'It is slow.' },
    { type: 'warning', source: 'browser', message: note },
    { type: 'stop' },
  ]);
  expect(result.warnings).toEqual(['server: It is slow.', `browser: ${note}`]);
});
