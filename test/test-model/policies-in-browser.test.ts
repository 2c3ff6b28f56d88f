/** The policies of the test model drive a real browser as agents, through the tools of the embedded server and of Playwright's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestModel } from '../../src/test-model/index.ts';
import { type ModelRun, runWithModel, TASKS } from './run-with-model.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-model-'));
const model = await startTestModel({ tasks: [TASKS] });
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

let runs = 0;
const runAs = (id: string, change: Partial<ModelRun> = {}) =>
  runWithModel(model, { id, out: path.join(folder, String(runs++)), ...change });

const line = ({ episodes }: Awaited<ReturnType<typeof runAs>>) =>
  episodes.map(({ taskId, outcome, reason }) => `${taskId}: ${outcome}${outcome === 'passed' ? '' : ` (${reason})`}`);
const allPassed = (report: Awaited<ReturnType<typeof runAs>>) =>
  expect(line(report)).toEqual(report.episodes.map(({ taskId }) => `${taskId}: passed`));

describe('the oracle', () => {
  test('arrives in every task on the embedded server', async () => {
    const report = await runAs('test');
    allPassed(report);
    expect(report.episodes.length).toBeGreaterThan(15);
  }, 120_000);

  test('arrives on Playwright’s server, whose calls name elements by what it shows', async () => {
    const only = ['list-rename', 'popup-message', 'local-form-submit', 'shadow-deep', 'slider-drag', 'download-report'];
    allPassed(await runAs('test', { server: 'playwright', only }));
  }, 120_000);

  test('needs only the newest observations, and no pictures', async () => {
    const only = ['wizard-book-trip', 'list-rename'];
    // So few tokens that every turn leaves out what is old.
    allPassed(await runAs('test', { server: 'playwright', only, contextTokens: 1_000 }));
    const elided = model.requests.some(({ conversation }) => JSON.stringify(conversation).includes('[left out:'));
    expect(elided).toBe(true);
    allPassed(await runAs('test', { only, observe: 'both' }));
    const pictures = model.requests.flatMap(({ conversation }) =>
      conversation?.messages.flatMap(({ images }) => images),
    );
    expect(pictures.length).toBeGreaterThan(5);
  }, 120_000);

  test('arrives as an orchestrator with an executor, in two parts', async () => {
    const only = ['wizard-book-trip', 'shadow-deep', 'popup-message'];
    allPassed(await runAs('test', { agent: 'orchestrator-executor', only }));
    const delegated = model.requests.flatMap(
      ({ reply }) => reply?.toolCalls?.filter(({ name }) => name === 'delegate') ?? [],
    );
    expect(delegated.map(({ arguments: { instruction } }) => String(instruction).slice(0, 15)).sort()).toEqual([
      'Do moves 1 to 2',
      'Do moves 1 to 3',
      'Do moves 1 to 5',
      'Do moves 4 to 5',
      'Do moves 6 to 9',
    ]);
  }, 120_000);

  test('arrives though a share of its replies fail', async () => {
    allPassed(await runAs('test:flaky', { only: ['local-form-submit', 'keys-chord'] }));
    expect(model.requests.some(({ fault }) => fault !== undefined)).toBe(true);
  }, 120_000);
});

test('the liar arrives nowhere and says that it did', async () => {
  const only = ['local-form-submit', 'list-rename', 'dialog-confirm'];
  for (const agent of ['single', 'orchestrator-executor']) {
    const report = await runAs('test:liar', { agent, only });
    expect(report.summary.passed).toBe(0);
    for (const { outcome, answer, steps } of report.episodes) {
      expect(outcome).toBe('failed');
      expect(answer).toMatch(/^Done, and the page confirms it: /);
      expect(steps).toBeLessThanOrEqual(2);
    }
  }
}, 60_000);

test('the stubborn one repeats a failing call until it is stopped', async () => {
  const { episodes } = await runAs('test:stubborn', { only: ['local-form-submit'], maxSteps: 3 });
  expect(episodes).toMatchObject([{ success: false, steps: 3, openchromeErrors: 3 }]);
}, 60_000);

test('the wanderer arrives with more steps than the oracle, or gives up', async () => {
  const only = ['local-form-submit', 'list-rename', 'keys-chord'];
  const [straight, wandering] = [await runAs('test', { only }), await runAs('test:wanderer', { only })];
  for (const [index, { outcome, steps, taskId }] of wandering.episodes.entries()) {
    expect(['passed', 'failed'], taskId).toContain(outcome);
    if (outcome === 'passed') expect(steps, taskId).toBeGreaterThan(straight.episodes[index]?.steps ?? 0);
  }
  expect(wandering.summary.passed).toBeGreaterThan(0);
}, 120_000);
