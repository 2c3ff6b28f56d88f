/** Changes of journals. */
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { type EpisodeTaskSpec, taskHash } from '../../../src/cases/index.ts';
import { type Contract, contractHash } from '../../../src/contracts/index.ts';
import type { Line } from '../command-line.ts';
import { type Change, DIALOG, edit, event, FORM, lines, remove, type Way } from './change.ts';

/** Another task with the hashes that belong to it, as made by a person who knows the format. */
function otherTask(change: Partial<EpisodeTaskSpec>): Change {
  return event('start', ({ task: before, hashes }) => {
    const task = { ...(before as EpisodeTaskSpec), ...change };
    const contract = contractHash(task.success as Contract);
    return { task, hashes: { ...(hashes as object), task: taskHash(task), contract } };
  });
}

const isStepOf = (one: Line, step: number): boolean => one.type === 'tool_call' && one['step'] === step;

/** Everything that belongs to one call. */
function withoutCall(events: Line[], step: number): Line[] {
  const callId = events.find((one) => isStepOf(one, step))?.['callId'];
  return events.filter((one) => one['callId'] !== callId);
}

export const JOURNAL_WAYS: readonly Way[] = [
  [
    'a verdict',
    event(
      'contract_eval',
      () => ({ verdict: 'pass' }),
      ({ phase }) => phase === 'step',
    ),
    true,
  ],
  [
    'a fact',
    event(
      'evidence',
      ({ facts }) => ({ facts: { ...Object(facts), url: 'http://x.test/' } }),
      (one) => 'facts' in one,
    ),
    true,
  ],
  ['a score', event('reward', () => ({ score: 0.9 })), true],
  [
    'a reason of a score',
    event(
      'reward',
      () => ({ reasons: [] }),
      ({ reasons }) => Object(reasons).length > 0,
    ),
    true,
  ],
  [
    'an error that is none',
    event(
      'tool_result',
      () => ({ isError: false }),
      ({ isError }) => isError === true,
    ),
    true,
  ],
  ['a state', event('evidence', () => ({ state: 'f'.repeat(32) })), true],
  ['the contract', event('start', ({ task }) => ({ task: { ...Object(task), success: { kind: 'no_dialog' } } })), true],
  ['the contract with its hashes', otherTask({ success: { kind: 'no_dialog' } }), true],
  ['the goal with its hash', otherTask({ goal: 'Do nothing.' }), true],
  ['the cap of steps with its hash', otherTask({ maxSteps: 99 }), true],
  ['the text of a result', event('tool_result', () => ({ text: 'Thank you, Ada', textLength: 14 })), true],
  [
    'the length of a result',
    event(
      'tool_result',
      ({ text }) => ({ textLength: String(text).length - 1 }),
      ({ text }) => text !== '',
    ),
    true,
  ],
  ['the digest of a result', event('tool_result', () => ({ digest: '0'.repeat(32) })), true],
  [
    'the arguments of a call',
    event(
      'tool_call',
      () => ({ arguments: { action: 'click' } }),
      ({ step }) => step === 2,
    ),
    true,
  ],
  [
    'the tool of a call',
    event(
      'tool_call',
      () => ({ tool: 'find' }),
      ({ step }) => step === 2,
    ),
    true,
  ],
  [
    'the number of a step',
    event(
      'tool_call',
      () => ({ step: 9 }),
      ({ step }) => step === 2,
    ),
    true,
  ],
  ['a step taken out', lines((events) => withoutCall(events, 3)), true],
  [
    'a result taken out',
    lines((events) =>
      events.toSpliced(
        events.findLastIndex(({ type }) => type === 'tool_result'),
        1,
      ),
    ),
    true,
  ],
  [
    'a result put in',
    lines((events) => {
      const at = events.findLastIndex(({ type }) => type === 'tool_result');
      return events.toSpliced(at, 0, events[at] as Line);
    }),
    true,
  ],
  [
    'a score taken out',
    lines((events) =>
      events.toSpliced(
        events.findIndex(({ type }) => type === 'reward'),
        1,
      ),
    ),
    true,
  ],
  [
    'a verdict of a call that is not there',
    event(
      'contract_eval',
      () => ({ callId: 'c99' }),
      ({ phase }) => phase === 'step',
    ),
    true,
  ],
  ['a time set back', event('tool_result', ({ time }) => ({ time: Number(time) - 60_000 })), true],
  ['a failure made a success', event('stop', () => ({ status: 'passed' }), undefined, DIALOG), true],
  ['the reason of the end', event('stop', () => ({ reason: 'It passed.' }), undefined, DIALOG), true],
  ['the answer', event('stop', () => ({ answer: 'Another one.' }), undefined, DIALOG), true],
  ['what the agent claimed', event('stop', () => ({ claimed: 'gave_up' }), undefined, DIALOG), true],
  ['the end taken out', lines((events) => events.slice(0, -1), DIALOG), false],
  [
    'a warning put in',
    lines((events) =>
      events.toSpliced(-1, 0, { type: 'warning', source: 'x', message: 'y', time: events.at(-1)?.['time'] }),
    ),
    true,
  ],
  ['a line taken out', edit(`${FORM}/events.jsonl`, (text) => text.split('\n').toSpliced(6, 1).join('\n')), true],
  [
    'a line that is no event',
    edit(`${FORM}/events.jsonl`, (text) => text.split('\n').with(6, 'nothing').join('\n')),
    true,
  ],
  ['a journal removed', remove(`${DIALOG}/events.jsonl`), true],
  [
    'the journal of another task',
    (root) => copyFileSync(path.join(root, FORM, 'events.jsonl'), path.join(root, DIALOG, 'events.jsonl')),
    true,
  ],
  ['the run of a journal', event('start', () => ({ runId: 'another' })), true],
  ['the trial of a journal', event('start', () => ({ trial: 2 })), true],
  ['the attempt of a journal', event('start', () => ({ attempt: 2 })), true],
  [
    'the server of a journal',
    event('start', ({ server }) => ({ server: { ...Object(server), name: 'playwright' } })),
    true,
  ],
  [
    'the version of a journal',
    event('start', ({ environment }) => ({ environment: { ...Object(environment), waymark: '9.9.9' } })),
    true,
  ],
  [
    'the browser of a journal',
    event('start', ({ environment }) => ({
      environment: { ...Object(environment), browser: { product: 'Chrome/1', kind: 'x' } },
    })),
    true,
  ],
  [
    'the hash of an event taken out',
    edit(`${FORM}/events.jsonl`, (text) => text.replace(/(\n.*),"chain":"[0-9a-f]{64}"\}\n/, '$1}\n')),
    true,
  ],
  [
    'the hash of an event replaced',
    edit(`${FORM}/events.jsonl`, (text) =>
      text.replace(/"chain":"(.)/, (_, digit) => `"chain":"${digit === '0' ? '1' : '0'}`),
    ),
    true,
  ],
  ['the chain taken out', edit(`${FORM}/events.jsonl`, (text) => text.replace(/,"chain":"[0-9a-f]{64}"/g, '')), false],
];
