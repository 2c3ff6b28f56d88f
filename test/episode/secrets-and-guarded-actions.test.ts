/** Secrets go into calls and into nothing else; guarded actions are not done without approval. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Slot } from '../../src/chromium/index.ts';
import type { ToolCall } from '../../src/episode/index.ts';
import { secretForms } from '../../src/episode/secret-forms.ts';
import { metadataSchema, rescoreEvents } from '../../src/events/index.ts';
import { waymark } from '../cli/command-line.ts';
import { evaluate, type Lab, openLab } from '../support/lab.ts';
import { agent, click, moves, play, read, task } from '../support/stage.ts';
import { CommandSandbox, tasks as fixtureTasks } from './command.ts';

let lab: Lab;
const sandbox = new CommandSandbox();
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  sandbox[Symbol.dispose]();
});

const NAME = 'FORM_NAME';
/** Everything that is written differently somewhere: in an address, in JSON, in HTML. */
const VALUE = 'Zoë & "Søn"/4711';
const type = (selector: string, value: string): ToolCall => ({
  tool: 'interact',
  arguments: { action: 'type', selector, value },
});
const SENT = [
  type('#name', `{{secret:${NAME}}}`),
  type('#email', 'ada@example.com'),
  { tool: 'interact', arguments: { action: 'select', selector: '#plan', value: 'Basic' } },
  click('#terms'),
];

/** Files of a folder, pictures left out, in which a form of the value stands. */
function leaks(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.jpg'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const text = readFileSync(file, 'utf8').toLowerCase();
      return secretForms(VALUE).some((form) => text.includes(form.toLowerCase()));
    });
}

describe('secrets', () => {
  test('the page gets the value; journal, metadata, ledger and agent get the placeholder', async () => {
    const input = task(lab, '/form', {
      secrets: [NAME],
      success: {
        kind: 'and',
        children: [
          { kind: 'url', pattern: '/form/done' },
          { kind: 'dom_text', contains: 'Thank you' },
          { kind: 'dom_text', selector: 'h1', contains: 'Never' },
        ],
      },
    });
    let slot: Slot | undefined;
    const seen: string[] = [];
    const secretNames: unknown[] = [];
    let truth = '';
    const agent = moves(
      ...SENT,
      click('#submit'),
      read,
      async ({ last }) => {
        seen.push(last?.text ?? '', ...(last?.texts ?? []));
        if (slot) truth = await evaluate<string>(slot, 'new URL(location.href).searchParams.get("name")');
        return {
          tool: 'javascript_tool',
          arguments: { code: 'console.log(location.href); alert(document.body.innerText)' },
        };
      },
      ({ last, session }) => {
        secretNames.push(session.task.secrets);
        seen.push(last?.text ?? '');
        session.say({ type: 'assistant', content: `I typed ${VALUE}.` });
        return { done: true, answer: `Signed up as ${VALUE}.` };
      },
    );
    const { folder, of, stop, events } = await play(lab, input, agent, {
      secrets: { [NAME]: VALUE },
      before: (given) => {
        slot = given;
      },
    });
    expect(truth).toBe(VALUE);
    expect(leaks(folder)).toEqual([]);
    // It was there to be leaked: in the address, in the text, in a dialog, on the console.
    expect(of('evidence').at(-1)).toMatchObject({ url: expect.stringContaining(`name={{secret:${NAME}}}`) });
    expect(of('evidence').some(({ console }) => console?.some(({ text }) => text.includes(NAME)))).toBe(true);
    expect(of('evidence').some(({ dialogs }) => dialogs?.some(({ message }) => message.includes(NAME)))).toBe(true);
    expect(JSON.stringify(of('contract_eval'))).toContain(`Thank you, {{secret:${NAME}}}`);
    expect(stop).toMatchObject({ status: 'failed', answer: `Signed up as {{secret:${NAME}}}.` });
    expect(secretNames).toEqual([[NAME]]);
    expect(seen.join('\n')).toContain(`Thank you, {{secret:${NAME}}}`);
    expect(seen.join('\n')).not.toContain('4711');
    // What is kept is what was judged.
    expect(rescoreEvents(events).differences).toEqual([]);
  });

  test('a secret that the task has not is not typed into the page', async () => {
    let slot: Slot | undefined;
    let typed = '';
    const agent = moves(type('#name', '{{secret:ROOT_PASSWORD}}'), async () => {
      if (slot) typed = await evaluate<string>(slot, 'document.querySelector("#name").value');
      return { done: true };
    });
    const { of } = await play(lab, task(lab, '/form', { secrets: [NAME] }), agent, {
      secrets: { [NAME]: VALUE },
      before: (given) => {
        slot = given;
      },
    });
    expect(of('tool_result').at(-1)).toMatchObject({
      isError: true,
      errorKind: 'bad_argument',
      text: `There is no secret "ROOT_PASSWORD". The task has: ${NAME}. Nothing was done.`,
    });
    expect(typed).toBe('');
  });

  test('a whole run: nothing of it in any file, nor on the screen; without the variable nothing is run', async () => {
    const file = path.join(sandbox.folder, 'sign-up.task.json');
    const write = (name: string, content: unknown): void =>
      writeFileSync(path.join(sandbox.folder, name), JSON.stringify(content));
    const target = (selector: string) => ({ target: { selector } });
    write('sign-up.task.json', {
      id: 'sign-up',
      title: 'Sign up',
      startUrl: 'http://fixtures.waymark.test/form',
      goal: 'Sign up.',
      secrets: [NAME],
      success: { kind: 'dom_text', contains: 'Nobody is thanked like this' },
      oracle: 'sign-up.transcript.json',
    });
    write('sign-up.transcript.json', {
      format: 'waymark.transcript.v1',
      task: 'sign-up',
      moves: [
        { action: { action: 'type', ...target('#name'), text: `{{secret:${NAME}}}` } },
        { action: { action: 'type', ...target('#email'), text: 'ada@example.com' } },
        { action: { action: 'select', ...target('#plan'), options: ['Basic'] } },
        { action: { action: 'click', ...target('#terms') } },
        { action: { action: 'click', ...target('#submit') } },
        { action: { action: 'read' }, expect: { contains: 'Good bye' } },
      ],
    });
    writeFileSync(
      path.join(sandbox.folder, 'fixture.ts'),
      `export { default } from ${JSON.stringify(path.join(fixtureTasks, 'fixture.ts'))};`,
    );
    const missing = await waymark(['run', file, '--out', sandbox.newOut()]);
    expect({ code: missing.code, out: missing.out }).toEqual({ code: 2, out: '' });
    expect(missing.err).toContain(`The task "sign-up" needs the environment variable ${NAME}; nothing was run.`);

    const ran = await sandbox.run([file], { env: { [NAME]: VALUE, OPENCHROME_BENCH_VERBOSE: '1' } });
    expect(ran.code).toBe(1);
    const report = readFileSync(path.join(ran.out, 'report.md'), 'utf8');
    // The transcript's own complaint quotes the page, with the name on it.
    expect(report).toMatch(/adapter_error[\s\S]*Move 6 of the transcript expected "Good bye"/);
    expect(report).toContain(`{{secret:${NAME}}}`);
    expect(leaks(ran.out)).toEqual([]);
    for (const form of secretForms(VALUE))
      expect((ran.err + ran.stdout).toLowerCase()).not.toContain(form.toLowerCase());
  });
});

describe('guarded actions', () => {
  const input = (guardedActions: string[]) =>
    task(lab, '/recovery/progress-positive', { guardedActions, success: { kind: 'url', pattern: '#progress-1$' } });

  test('what needs one is not sent, scores -1, and ends the episode as the guard’s', async () => {
    const { stop, result, of, folder, events } = await play(
      lab,
      input(['click #advance']),
      moves(read, click('#advance'), read),
    );
    expect(stop).toEqual({
      status: 'failed',
      cause: 'guard',
      reason: 'The agent tried a guarded action, which was not allowed: click #advance.',
    });
    expect(result).toMatchObject({ outcome: 'guard_stop', success: false, steps: 2, finalVerdict: 'fail' });
    expect(of('tool_call').at(-1)).toMatchObject({ destructive: true, gated: false });
    expect(of('tool_result').at(-1)).toMatchObject({ isError: true, errorKind: 'gate_refused' });
    expect(of('reward').at(-1)).toMatchObject({
      score: -1,
      tier: 'hard_negative',
      classification: 'destructive_blocked',
    });
    expect(of('evidence').at(-1)?.url).not.toContain('#progress');
    expect(rescoreEvents(events).differences).toEqual([]);
    expect(metadataSchema.parse(JSON.parse(readFileSync(path.join(folder, 'metadata.json'), 'utf8')))).toMatchObject({
      grader_results: { contract: { verdict: 'fail', score: 0 } },
    });
    expect(readFileSync(path.join(folder, 'ledger.jsonl'), 'utf8').trim().split('\n').at(-1)).toContain(
      '"status":"error","failure":"gate_refused:interact:',
    );
  });

  test('an element that is named by its ref needs it, too', async () => {
    const byRef = moves(read, ({ last }) => {
      const ref = /\[(\w+)\] button "Advance/.exec(last?.text ?? '')?.[1];
      return { tool: 'interact', arguments: { action: 'click', ref: String(ref) } };
    });
    const { stop } = await play(lab, input(['click Advance']), byRef);
    expect(stop).toMatchObject({ cause: 'guard' });
  });

  test('a look needs it, too: nothing is sent', async () => {
    const texts: string[] = [];
    const looker = agent(async (session) => {
      texts.push((await session.look(read)).text);
    });
    const { of } = await play(lab, input(['read_page']), looker);
    expect(texts).toEqual([
      'Refused by the harness: "read_page" is a guarded action, and is not allowed. Nothing was done.',
    ]);
    expect(of('tool_result').at(-1)).toMatchObject({ isError: true, errorKind: 'gate_refused', durationMs: 0 });
  });

  test('when it is allowed it is done, and the journal says so', async () => {
    const { stop, of } = await play(lab, input(['click #advance']), moves(click('#advance')), { allowGuarded: true });
    expect(stop.status).toBe('passed');
    expect(of('tool_call').at(-1)).toMatchObject({ destructive: true, gated: true });
    expect(of('reward').at(-1)).toMatchObject({ classification: 'contract_pass' });
  });
});
