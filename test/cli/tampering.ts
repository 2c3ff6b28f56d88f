/** Ways to change a recorded run, each with whether it is found even where the reports are made again from what was changed. */
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type EpisodeTaskSpec, taskHash } from '../../src/cases/index.ts';
import { type Contract, contractHash } from '../../src/contracts/index.ts';
import { hashOf } from '../../src/runs/run-inputs.ts';
import { type Line, tamper } from './command-line.ts';

const FORM = 'episodes/send-form/trial-1';
const DIALOG = 'episodes/confirm-dialog/trial-1';

/** Gives the run's folder to what changes it. */
type Change = (root: string) => void;

const edit =
  (file: string, change: (text: string) => string): Change =>
  (root) => {
    const at = path.join(root, file.replace('<run-id>', runIdOf(root)));
    const before = readFileSync(at, 'utf8');
    const after = change(before);
    if (after === before) throw new Error(`${file} was not changed.`);
    writeFileSync(at, after);
  };
const event =
  (type: string, change: (event: Line) => object, fits: (event: Line) => boolean = () => true, folder = FORM): Change =>
  (root) => {
    tamper(
      path.join(root, folder, 'events.jsonl'),
      (one) => one.type === type && fits(one),
      (one) => ({ ...one, ...change(one) }),
    );
  };
const lines = (change: (events: Line[]) => Line[], folder = FORM): Change =>
  edit(`${folder}/events.jsonl`, (text) =>
    change(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
    )
      .map((one, seq) => `${JSON.stringify({ ...one, seq })}\n`)
      .join(''),
  );
const runFile = (change: (run: Stored) => void): Change =>
  edit('run.json', (text) => {
    const run = JSON.parse(text) as Stored;
    change(run);
    return JSON.stringify(run, null, 2);
  });
const remove =
  (file: string): Change =>
  (root) =>
    rmSync(path.join(root, file), { recursive: true });
const pictureOf = (root: string): string => path.join(root, FORM, 'screenshots/001.jpg');

interface Stored {
  endedAt: string;
  plan: {
    runId: string;
    createdAt: number;
    trials: number;
    cells: { caseId: string; trial: number }[];
    inputs: { hash: string; of: Record<string, unknown> };
    oracleSteps: Record<string, number>;
  };
}

function runIdOf(root: string): string {
  return (JSON.parse(readFileSync(path.join(root, 'run.json'), 'utf8')) as Stored).plan.runId;
}

/** Takes a task out of the plan and of its inputs. */
function without(task: string, run: Stored): void {
  run.plan.cells = run.plan.cells.filter(({ caseId }) => caseId !== task);
  for (const name of Object.keys(run.plan.inputs.of)) if (name.endsWith(` ${task}`)) delete run.plan.inputs.of[name];
}

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

/** By name. `rebuilt`: found also after `waymark report`. */
export const WAYS: readonly (readonly [name: string, change: Change, rebuilt: boolean])[] = [
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
    'a picture',
    (root) => writeFileSync(pictureOf(root), Buffer.concat([readFileSync(pictureOf(root)), Buffer.from([0])])),
    true,
  ],
  [
    'a picture by another one',
    (root) => copyFileSync(path.join(root, FORM, 'screenshots/002.jpg'), pictureOf(root)),
    true,
  ],
  ['a picture removed', remove(`${FORM}/screenshots/001.jpg`), true],
  ['a picture put in', (root) => copyFileSync(pictureOf(root), path.join(root, FORM, 'screenshots/099.jpg')), true],
  [
    'a picture by a link',
    (root) => {
      const at = pictureOf(root);
      copyFileSync(at, path.join(root, 'elsewhere.jpg'));
      rmSync(at);
      symlinkSync(path.join(root, 'elsewhere.jpg'), at);
    },
    true,
  ],
  [
    'the hash of a picture',
    event(
      'screenshot',
      () => ({ hash: '0'.repeat(64) }),
      ({ ok }) => ok === true,
    ),
    true,
  ],
  [
    'the file of a picture',
    event(
      'screenshot',
      () => ({ file: 'screenshots/002.jpg' }),
      ({ file }) => file === 'screenshots/001.jpg',
    ),
    true,
  ],
  [
    'a number in metadata.json',
    edit(`${FORM}/metadata.json`, (text) => text.replace(/"total_steps": \d+/, '"total_steps": 1')),
    false,
  ],
  ['metadata.json removed', remove(`${FORM}/metadata.json`), false],
  ['a message', edit(`${DIALOG}/messages.jsonl`, (text) => text.replace('I have confirmed it.', 'I give up.')), false],
  [
    'a line of the ledger',
    edit(`${FORM}/ledger.jsonl`, (text) => text.replace('"status":"error"', '"status":"success"')),
    false,
  ],
  ['the ledger removed', remove(`${FORM}/ledger.jsonl`), false],
  [
    'a mark that it was never begun',
    (root) =>
      writeFileSync(path.join(root, DIALOG, 'not-begun.json'), '{"reason":"No server.","outcome":"server_error"}'),
    true,
  ],
  [
    'a grade put in',
    (root) =>
      writeFileSync(
        path.join(root, DIALOG, 'grades.jsonl'),
        `${JSON.stringify({ grader: 'mine', verdict: 'pass', score: 1, reasoning: 'Right.', details: {}, round: 1, at: 0 })}\n`,
      ),
    true,
  ],
  ['a grade that is none', (root) => writeFileSync(path.join(root, DIALOG, 'grades.jsonl'), 'pass\n'), true],
  [
    'a failure tried again',
    (root) => {
      cpSync(path.join(root, DIALOG), path.join(root, `${DIALOG}-attempt-2`), { recursive: true });
      event('start', () => ({ attempt: 2 }), undefined, `${DIALOG}-attempt-2`)(root);
    },
    true,
  ],
  [
    'an attempt of a task that was not planned',
    (root) => cpSync(path.join(root, DIALOG), path.join(root, 'episodes/other/trial-1'), { recursive: true }),
    true,
  ],
  [
    'a gap in the attempts',
    (root) => cpSync(path.join(root, DIALOG), path.join(root, `${DIALOG}-attempt-3`), { recursive: true }),
    true,
  ],
  [
    'a task taken out of the plan',
    runFile(({ plan }) => {
      plan.cells = plan.cells.slice(0, 1);
    }),
    true,
  ],
  ['a task taken out of plan and inputs', runFile((run) => without('confirm-dialog', run)), true],
  [
    'a task taken out with a new hash',
    runFile((run) => {
      without('confirm-dialog', run);
      run.plan.inputs.hash = hashOf(run.plan.inputs.of);
    }),
    true,
  ],
  [
    'a task taken out with hash and folder',
    (root) => {
      runFile((run) => {
        without('confirm-dialog', run);
        run.plan.inputs.hash = hashOf(run.plan.inputs.of);
      })(root);
      remove('episodes/confirm-dialog')(root);
    },
    true,
  ],
  [
    'a task put into the plan',
    runFile(({ plan }) => {
      plan.cells.push({ caseId: 'other', trial: 1 });
    }),
    true,
  ],
  [
    'a second trial of one task',
    runFile(({ plan }) => {
      plan.cells.push({ caseId: 'send-form', trial: 3 });
    }),
    true,
  ],
  [
    'the number of trials',
    runFile(({ plan }) => {
      plan.trials = 5;
    }),
    true,
  ],
  [
    'an input',
    runFile(({ plan }) => {
      plan.inputs.of['until-done'] = true;
    }),
    true,
  ],
  [
    'a cap in the inputs with a new hash',
    runFile(({ plan }) => {
      plan.inputs.of['maxSteps of send-form'] = 9;
      plan.inputs.hash = hashOf(plan.inputs.of);
    }),
    true,
  ],
  [
    'the id of the run',
    runFile(({ plan }) => {
      plan.runId = 'another';
    }),
    true,
  ],
  [
    'when the run ended',
    runFile((run) => {
      run.endedAt = '2020-01-01T00:00:00.000Z';
    }),
    false,
  ],
  [
    'when the run began',
    runFile(({ plan }) => {
      plan.createdAt -= 1000;
    }),
    false,
  ],
  [
    'the length of an oracle',
    runFile(({ plan }) => {
      plan.oracleSteps = { 'send-form': 1 };
    }),
    false,
  ],
  ['a number in report.json', edit('report.json', (text) => text.replace('"passed": 1,', '"passed": 2,')), false],
  [
    'what was planned in report.json',
    edit('report.json', (text) => text.replace('"planned": 2,', '"planned": 1,')),
    false,
  ],
  [
    'report.json as of an earlier version',
    edit('report.json', (text) => {
      const report = JSON.parse(text);
      delete report.summary.planned;
      report.summary.passed = 2;
      return JSON.stringify(report, null, 2);
    }),
    false,
  ],
  ['report.json that is none', edit('report.json', () => 'passed'), false],
  ['report.json removed', remove('report.json'), false],
  ['report.md', edit('report.md', (text) => text.replace('1 of 2 passed', '2 of 2 passed')), false],
  ['report.html', edit('report.html', (text) => text.replaceAll('1 of 2 passed', '2 of 2 passed')), false],
  ['report.html removed', remove('report.html'), false],
  ['events.jsonl', edit('events.jsonl', (text) => text.replace('"status":"passed"', '"status":"failed"')), false],
  [
    'the whole results',
    edit('reports/<run-id>.json', (text) => text.replace(/"durationMs": \d+/, '"durationMs": 1')),
    false,
  ],
  ['the folder reports/ removed', remove('reports'), false],
  ['the folder events/ removed', remove('events'), false],
  ['manifest.json removed', remove('manifest.json'), false],
  ['manifest.json that is none', edit('manifest.json', () => '{}'), false],
  [
    'a hash in manifest.json',
    edit('manifest.json', (text) =>
      text.replace(/"sha256":"(.)/, (_, digit) => `"sha256":"${digit === '0' ? '1' : '0'}`),
    ),
    false,
  ],
  ['manifest.json of another run', edit('manifest.json', (text) => text.replace(/"runId": "./, '"runId": "x')), false],
  [
    'a file taken out of manifest.json',
    edit('manifest.json', (text) => text.replace(/\n {4}\{"path":"episodes[^}]*\},/, '')),
    false,
  ],
  ['a plan put beside run.json', (root) => writeFileSync(path.join(root, 'cells.jsonl'), ''), false],
  ['a file put beside a journal', (root) => writeFileSync(path.join(root, FORM, 'notes.txt'), 'Mine.'), false],
  [
    'the hash of an event taken out',
    edit(`${FORM}/events.jsonl`, (text) => text.replace(/(\n.*),"chain":"[0-9a-f]{64}"\}\n/, '$1}\n')),
    true,
  ],
  [
    'the hash of an event replaced',
    edit(`${FORM}/events.jsonl`, (text) => text.replace(/"chain":"../, '"chain":"00')),
    true,
  ],
  ['the chain taken out', edit(`${FORM}/events.jsonl`, (text) => text.replace(/,"chain":"[0-9a-f]{64}"/g, '')), false],
];

/** A digest of every file, to see that a check changes nothing. */
export function filesOf(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(root, file), createHash('sha256').update(readFileSync(file)).digest('hex')];
    }),
  );
}

/** Added, removed and changed ones. */
export function changedFiles(before: Record<string, string>, after: Record<string, string>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((file) => before[file] !== after[file]);
}
