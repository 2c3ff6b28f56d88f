import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { documentedEvents } from '../../../test/journal/documented-events.ts';
import { teamJournal } from '../../../test/support/made-journal.ts';
import { changedJournal, HOSTILE, hostileJournals, madeReport } from '../../../test/support/made-report.ts';
import { type AttemptView, HTML_LIMITS, type RunView } from '../../view/index.ts';

const into = mkdtempSync(path.join(tmpdir(), 'waymark-report-page-'));
afterAll(() => rmSync(into, { recursive: true }));

interface Made {
  page: string;
  run: RunView;
  attemptOf: (id: string) => { attempt: AttemptView; pictures: Record<string, string> };
}

async function reportOn(...[journals, limits]: [Parameters<typeof madeReport>[1], Parameters<typeof madeReport>[2]?]) {
  const page = await madeReport(into, journals, limits);
  const made: Made = {
    page,
    run: JSON.parse(blockOf(page, 'waymark-run')).run,
    attemptOf: (id) => JSON.parse(blockOf(page, `waymark-${id}`)),
  };
  return made;
}

/** As a browser would find it: the element ends at the first end tag. */
function blockOf(page: string, id: string): string {
  return new RegExp(`<script type="application/json" id="${id}">([\\s\\S]*?)</script`).exec(page)?.[1] ?? 'null';
}

test('holds the viewer, the run and every attempt, and says in its title what came of it', async () => {
  const { page, run, attemptOf } = await reportOn([documentedEvents, teamJournal()]);
  expect(page).toContain(`<title>${run.title}</title>`);
  expect(run.attempts.map(({ id, hasJournal }) => [id, hasJournal])).toEqual([
    ['e1', true],
    ['e2', true],
  ]);
  expect(attemptOf('e1').attempt.steps.length).toBeGreaterThan(0);
  expect(attemptOf('e2').attempt.team?.roles.map(({ name }) => name)).toEqual(['orchestrator', 'left', 'right']);
  expect(run.notes).toEqual([
    'Made with the test model: this shows how the harness works, and measures no model.',
    expect.stringMatching(/^With recovery search: /),
    expect.stringMatching(/^1 of 2 has not finished: /),
  ]);
});

test('the same events give the same bytes', async () => {
  const { page } = await reportOn([documentedEvents]);
  expect((await reportOn([documentedEvents])).page).toBe(page);
});

test('text of pages and agents stays data, wherever it stands', async () => {
  const { page, attemptOf, run } = await reportOn(hostileJournals());
  // The viewer's own script, and one block for the run and for each attempt.
  expect(page.match(/<script>/g)).toHaveLength(1);
  expect(page.match(/<\/script/gi)).toHaveLength(1 + 1 + 7);
  expect(page).not.toContain('<img src=x');
  expect(page).not.toContain('<!--');
  expect(page).not.toMatch(/[\u2028\u2029\u0000]/);
  expect(attemptOf('e7').attempt.goal).toBe(HOSTILE);
  expect(run.attempts[6]?.caseId).toBe(HOSTILE);
});

test('asks for nothing: a policy that names the one script and the one style', async () => {
  const { page } = await reportOn([documentedEvents]);
  const head = page.slice(0, page.indexOf('<style>'));
  expect(head).not.toMatch(/<(link|iframe|object|base|script)\b/);
  const policy = /content="(default-src[^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? '';
  expect(policy).toContain("default-src 'none'");
  for (const tag of ['script', 'style']) {
    const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
    expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
});

test('long texts are cut, and it is said', async () => {
  const text = 'x'.repeat(HTML_LIMITS.text * 4);
  const { page, attemptOf } = await reportOn([changedJournal('tool_result', () => ({ text, textLength: 262_144 }))]);
  expect(page).not.toContain('x'.repeat(HTML_LIMITS.text + 1));
  const cut = attemptOf('e1').attempt.steps.map(({ result }) => result?.text);
  expect(cut[0]).toMatchObject({ length: 262_144, isCut: true });
});

test('a journal that was cut off anywhere is shown as far as it goes', async () => {
  const parts = documentedEvents.map((_, index) => documentedEvents.slice(0, index + 1));
  const { run } = await reportOn(parts);
  expect(run.attempts).toHaveLength(documentedEvents.length);
});

test('above a size, attempts are scripts beside the page, with the same data; below it they are removed again', async () => {
  const { attemptOf } = await reportOn([documentedEvents, teamJournal(HOSTILE)]);
  const whole = [attemptOf('e1'), attemptOf('e2')];
  const { page, run } = await reportOn([documentedEvents, teamJournal(HOSTILE)], { inlineText: 10, chunkText: 1e9 });
  expect(readdirSync(path.join(into, 'report-data')).sort()).toEqual(['e1.js', 'e2.js']);
  expect(JSON.parse(blockOf(page, 'waymark-run')).chunks).toBe('report-data');
  expect(blockOf(page, 'waymark-e1')).toBe('null');
  expect(run.attempts.every(({ hasJournal }) => hasJournal)).toBe(true);
  const heard: [string, unknown][] = [];
  for (const name of ['e1.js', 'e2.js'])
    runInNewContext(readFileSync(path.join(into, 'report-data', name), 'utf8'), {
      waymarkAttempt: (id: string, text: string) => heard.push([id, JSON.parse(text)]),
    });
  expect(heard).toEqual([
    ['e1', whole[0]],
    ['e2', whole[1]],
  ]);
  await reportOn([documentedEvents]);
  expect(existsSync(path.join(into, 'report-data'))).toBe(false);
});

test('where even that is too much, attempts that passed are only listed, and it is said', async () => {
  const passed = changedJournal('stop', () => ({ status: 'passed', interrupted: undefined }));
  const { run } = await reportOn([passed, documentedEvents, passed], { inlineText: 10, chunkText: 10 });
  expect(run.attempts.map(({ hasJournal }) => hasJournal)).toEqual([true, true, false]);
  expect(run.notes).toContain('1 attempts that passed are shown without their steps; the run’s folder has everything.');
});
