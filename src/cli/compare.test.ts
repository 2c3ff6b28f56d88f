import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gradeOf, planOf, stamped } from '../../test/runs/attempts.ts';
import { answered, called, madeJournal, pictured, seen, stopped } from '../../test/support/made-journal.ts';
import type { AttemptRef, Grade, JournalEvent, RunPlan } from '../events/index.ts';
import { answeredEvents, askedEvents } from '../events/index.ts';
import {
  attemptPath,
  compareRunFolders,
  comparisonPage,
  FolderRunStore,
  keepFailedChecks,
  markdownComparison,
  readSamples,
  runsIn,
  trendPage,
  writeBaseline,
} from '../runs/index.ts';
import { runCommandLine } from './run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-compare-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => path.join(folder, name);

const HASH = 'c'.repeat(64);
/** What a hostile page would put into a trajectory. */
const HOSTILE = '<img src=x onerror=alert(1)>\u001b[2J';

function taskJournal(attempt: AttemptRef, passes: boolean): JournalEvent[] {
  const url = passes ? 'http://shop.test/done' : `http://shop.test/${HOSTILE}`;
  const [start, ...rest] = madeJournal([
    called('c1', 1, undefined, { arguments: { selector: '#same' } }),
    answered('c1'),
    seen('http://shop.test/', undefined, 'c1'),
    called('c2', 2, undefined, { arguments: { selector: passes ? '#buy' : HOSTILE } }),
    answered('c2'),
    seen(url, undefined, 'c2'),
    pictured('c2', 2),
    stopped(passes ? { status: 'passed', reason: 'The contract passed.' } : {}),
  ]);
  const { runId, caseId, trial } = attempt;
  const of = { runId, taskId: caseId, trial, attempt: attempt.attempt, task: { id: caseId, tags: ['shop'] } };
  return [{ ...start, ...of } as JournalEvent, ...rest];
}

async function taskRun(
  name: string,
  passes: (caseId: string, trial: number) => boolean,
  server = 'embedded',
  inputs: RunPlan['inputs']['of'] = {},
) {
  const cases = Array.from({ length: 6 }, (_, index) => `case-${index + 1}`);
  const plan: RunPlan = {
    ...planOf(cases, 2),
    variant: { kind: 'agent', agent: { kind: 'scripted' }, server: { name: server } },
    inputs: { hash: 'h', of: inputs },
  };
  const attempts = plan.cells.map((cell) => {
    const attempt = { runId: plan.runId, ...cell, attempt: 1 };
    return { attempt, events: taskJournal(attempt, passes(cell.caseId, cell.trial)) };
  });
  await new FolderRunStore(at(name)).addFinished(plan, attempts);
  for (const { attempt } of attempts) {
    const pictures = path.join(at(name), attemptPath(attempt), 'screenshots');
    mkdirSync(pictures);
    writeFileSync(path.join(pictures, '002.jpg'), `picture of ${name}`);
  }
}

async function questionRun(name: string, verdict: Grade['verdict'], answer: string) {
  const variant = { kind: 'model', provider: { kind: 'openai' }, model: 'm-2026-01-01' } as const;
  const plan: RunPlan = { ...planOf(['q1', 'q2']), variant };
  const attempts = plan.cells.map((cell) => {
    const attempt = { runId: plan.runId, ...cell, attempt: 1 };
    const item = { id: cell.caseId, type: 'freeform', section: 'sums', prompt_text: 'What is 1 + 1?', meta: {} };
    const asked = askedEvents({ attempt, agent: { kind: 'model' }, task: item, prompt: 'What is 1 + 1?' });
    const events = stamped([...asked, ...answeredEvents({ answer, latencyMs: 12 })]);
    return { attempt, events, grades: [gradeOf('exact', 1, { verdict })] };
  });
  await new FolderRunStore(at(name)).addFinished(plan, attempts);
}

beforeAll(async () => {
  await taskRun('before', () => true);
  await taskRun('after', (caseId, trial) => caseId !== 'case-2' || trial === 1, 'playwright');
  await taskRun('broken', () => false);
  await taskRun('checked', () => true, 'embedded', { 'the task case-1': HASH });
  await questionRun('right', 'pass', 'Two.');
  await questionRun('wrong', 'fail', HOSTILE);
});

async function waymark(...args: string[]) {
  let [out, err] = ['', ''];
  const add = { out: (text: string) => (out += text), err: (text: string) => (err += text) };
  const code = await runCommandLine(args, { ...add, paint: (_, text) => text, env: {}, cwd: folder } as Parameters<
    typeof runCommandLine
  >[1]);
  return { code, out, err };
}

describe('browser tasks', () => {
  test('are paired by case and trial, with what differs and the first divergence of each case', async () => {
    const { comparisons } = await compareRunFolders([at('before'), at('after')]);
    expect(comparisons).toMatchObject([
      {
        a: { name: 'scripted on embedded', validOnly: { passed: 12, of: 12 } },
        b: { name: 'scripted on playwright', validOnly: { passed: 11, of: 12 } },
        overall: { verdict: 'not_enough_evidence', pairs: 12 },
        divergences: [{ caseId: 'case-2', trial: 2, divergence: { kind: 'action', step: 2 } }],
        tags: [{ name: 'shop', a: { passed: 12 }, b: { passed: 11 } }],
      },
    ]);
  });

  test('several runs are compared with the first, and share the error that one comparison may have', async () => {
    const { comparisons } = await compareRunFolders([at('before'), at('after'), at('broken')]);
    expect(comparisons.map(({ overall: { verdict } }) => verdict)).toEqual(['not_enough_evidence', 'worse']);
    expect(comparisons.map(({ confidence }) => confidence.suite)).toEqual([0.975, 0.975]);
    expect(comparisons[1]?.b.name).toBe('C: scripted on embedded');
  });

  test('the page has both pictures, and text of pages stays text', async () => {
    const page = comparisonPage(await compareRunFolders([at('before'), at('broken')]));
    const picture = (name: string) => Buffer.from(`picture of ${name}`).toString('base64');
    expect(page).toContain(`src="data:image/jpeg;base64,${picture('before')}"`);
    expect(page).toContain(`src="data:image/jpeg;base64,${picture('broken')}"`);
    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain('\u001b');
    expect(page).toContain('&lt;img src=x');
    const markdown = markdownComparison(await compareRunFolders([at('before'), at('broken')]));
    expect(markdown).not.toContain('<img');
    expect(trendPage([])).toContain('Pass rates: none.');
  });

  test('a run is read the same from its folder and from its baseline, which has no trajectories', async () => {
    const [read] = await readSamples([at('before')]);
    if (!read) throw new Error('nothing was read');
    writeBaseline(at('before.json'), read.sample);
    expect(await readSamples([at('before.json')])).toEqual([{ sample: read.sample }]);
    const [fromFolder] = (await compareRunFolders([at('before'), at('after')])).comparisons;
    const [fromFile] = (await compareRunFolders([at('before.json'), at('after')])).comparisons;
    expect(fromFile).toEqual({ ...fromFolder, divergences: [], divergencesLeftOut: 0 });
  });
});

describe('a task that failed waymark check', () => {
  const folderOfChecks = (): string => path.join(folder, '.waymark', 'failed-checks');
  const keep = (...rules: string[]): void =>
    keepFailedChecks(folderOfChecks(), [{ taskId: 'case-1', hash: HASH, rules }], true);
  const claimOf = async (...places: string[]) => {
    const { out } = await waymark('compare', ...places, '--json');
    return JSON.parse(out).comparisons[0].claim;
  };

  test('keeps a comparison from being a headline until it passes, and a baseline remembers it', async () => {
    const reason = '1 task failed waymark check: case-1 (no_op_passes, oracle_fails).';
    keep('oracle_fails', 'no_op_passes');
    expect((await claimOf('checked', 'checked')).reasons).toContain(reason);
    expect((await waymark('compare', 'checked', '--save-baseline', 'checked.json')).code).toBe(0);
    keep();
    expect((await claimOf('checked', 'checked')).reasons).not.toContain(reason);
    expect((await claimOf('checked.json', 'checked')).reasons).toContain(reason);
  });
});

describe('questions', () => {
  test('are compared by their deciding grade, with both answers', async () => {
    const { comparisons } = await compareRunFolders([at('right'), at('wrong')]);
    expect(comparisons).toMatchObject([
      {
        overall: { pairs: 2, difference: { estimate: -1 } },
        tags: [{ name: 'sums' }],
        divergences: [{ caseId: 'q1', answers: { a: 'Two.', b: HOSTILE } }, { caseId: 'q2' }],
      },
    ]);
    expect(comparisonPage({ samples: [], comparisons })).not.toContain('<img');
  });

  test('are not compared with tasks', async () => {
    await expect(compareRunFolders([at('right'), at('before')])).rejects.toMatchObject({ code: 'runs_not_comparable' });
  });
});

describe('the command', () => {
  test('exits with 1 on a regression where that was asked for, and with 0 otherwise', async () => {
    expect((await waymark('compare', 'before', 'broken')).code).toBe(0);
    const failed = await waymark('compare', 'before', 'broken', '--fail-on-regression');
    expect(failed.code).toBe(1);
    expect(failed.out).toContain(
      'B: scripted on embedded is worse than A: scripted on embedded: −100.0 points over 12 pairs',
    );
    expect((await waymark('compare', 'before', 'before', '--fail-on-regression')).code).toBe(0);
  });

  test('writes a baseline of one run and compares with it; files are as they are named', async () => {
    expect(await waymark('compare', 'before', '--save-baseline', 'main.json')).toMatchObject({
      code: 0,
      out: 'baseline: main.json\n',
    });
    const args = [
      '--baseline',
      'main.json',
      '--fail-on-regression',
      '--html',
      'c.html',
      '--markdown',
      'c.md',
      '--json',
    ];
    const { code, out } = await waymark('compare', 'broken', ...args);
    expect(code).toBe(1);
    const printed = JSON.parse(out);
    expect(printed).toMatchObject({
      format: 'waymark.comparison.v1',
      comparisons: [{ overall: { verdict: 'worse' } }],
    });
    expect(readFileSync(at('c.md'), 'utf8')).toContain('is worse than');
    expect(readFileSync(at('c.html'), 'utf8')).toContain('<title>');
  });

  test('what a page put into a trajectory does not reach the terminal as control characters', async () => {
    const { out } = await waymark('compare', 'before', 'broken');
    expect(out).toContain('where they part:');
    expect(out).not.toContain('\u001b');
  });

  test('trend shows the runs of a folder, and --json the same as data', async () => {
    expect(runsIn(folder)).toHaveLength(6);
    expect(runsIn(at('before'))).toEqual([at('before')]);
    const { code, out } = await waymark('trend', 'before', 'broken', '--json', '--html', 't.html');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rows: [{ validOnly: { rate: 1 } }, { validOnly: { rate: 0 } }] });
    expect(readFileSync(at('t.html'), 'utf8')).toContain(
      '<svg class="trend" role="img" aria-label="Pass rates: 100 %, 0 %."',
    );
    expect((await waymark('trend', '.')).out).toMatch(/^run +started/);
  });

  test.each([
    [[], 'Give the runs to compare.'],
    [['before'], 'Give a second run, or a baseline.'],
    [['before', 'nothing-here'], 'is no run: it is not there.'],
    [['before', '--baseline', 'bad.json'], '$.trials'],
    [['before', '--baseline', 'torn.json'], "can't be read"],
    [['before', '--baseline', 'twice.json'], '$.trials.1 is there twice.'],
    [['before', '--baseline', 'stray.json'], '$.trials.0 is of a case that is not in $.cases.'],
  ])('%j is wrong usage', async (args, message) => {
    const [read] = await readSamples([at('right')]);
    if (!read) throw new Error('nothing was read');
    const { trials } = read.sample;
    writeFileSync(at('torn.json'), '{"format":');
    writeFileSync(at('bad.json'), JSON.stringify({ format: 'waymark.baseline.v1', ...read.sample, trials: 'none' }));
    writeBaseline(at('twice.json'), { ...read.sample, trials: [...trials.slice(0, 1), ...trials] });
    writeBaseline(at('stray.json'), { ...read.sample, cases: [] });
    const { code, err } = await waymark('compare', ...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  });
});
