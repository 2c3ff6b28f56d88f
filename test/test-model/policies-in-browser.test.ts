/** The policies of the test model drive a real browser, through the tools of the embedded server and of Playwright's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type RunOptions, run } from '../../src/index.ts';
import { startTestModel } from '../../src/test-model/index.ts';
import { type LoopOptions, toolLoop } from './tool-loop.ts';

const TASKS = path.resolve(import.meta.dirname, '../../fixtures/tasks');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-model-'));
const model = await startTestModel({ tasks: [TASKS] });
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

let runs = 0;

async function runAs(id: string, change: Partial<RunOptions> & LoopOptions = {}) {
  const { keepResults, ...options } = change;
  const agent = toolLoop(
    { kind: 'openai-compatible', model: id, baseUrl: model.baseUrls['openai-compatible'] },
    keepResults === undefined ? {} : { keepResults },
  );
  const out = path.join(folder, String(runs++));
  const { report } = await run({ tasks: [TASKS], agent, out, screenshots: false, concurrency: 2, ...options });
  return report;
}

const line = ({ episodes }: Awaited<ReturnType<typeof runAs>>) =>
  episodes.map(({ taskId, outcome, reason }) => `${taskId}: ${outcome}${outcome === 'passed' ? '' : ` (${reason})`}`);

describe('the oracle', () => {
  test('arrives in every task on the embedded server', async () => {
    const report = await runAs('test');
    expect(line(report)).toEqual(report.episodes.map(({ taskId }) => `${taskId}: passed`));
    expect(report.episodes.length).toBeGreaterThan(15);
  }, 120_000);

  test('arrives on Playwright’s server, whose calls name elements by what it shows', async () => {
    const only = ['list-rename', 'popup-message', 'local-form-submit', 'shadow-deep', 'slider-drag', 'download-report'];
    const report = await runAs('test', { server: 'playwright', only });
    expect(line(report)).toEqual(report.episodes.map(({ taskId }) => `${taskId}: passed`));
  }, 120_000);

  test('needs no result but that of the last call', async () => {
    const only = ['popup-message', 'list-rename'];
    for (const server of ['embedded', 'playwright']) {
      const report = await runAs('test', { server, only, keepResults: 1 });
      expect(line(report), server).toEqual(report.episodes.map(({ taskId }) => `${taskId}: passed`));
    }
  }, 120_000);
});

test('the liar arrives nowhere and says that it did', async () => {
  const report = await runAs('test:liar', { only: ['local-form-submit', 'list-rename', 'dialog-confirm'] });
  expect(report.summary.passed).toBe(0);
  for (const { outcome, answer, steps } of report.episodes) {
    expect(outcome).toBe('failed');
    expect(answer).toMatch(/^Done, and the page confirms it: /);
    expect(steps).toBeLessThanOrEqual(2);
  }
}, 60_000);

test('the stubborn one repeats a failing call until it is stopped', async () => {
  const { episodes } = await runAs('test:stubborn', { only: ['local-form-submit'], maxSteps: 3 });
  expect(episodes).toMatchObject([{ success: false }]);
  expect(episodes[0]?.openchromeErrors).toBe(episodes[0]?.steps);
}, 60_000);

test('the wanderer arrives with more steps than the oracle, or gives up', async () => {
  const only = ['local-form-submit', 'list-rename', 'wizard-book-trip', 'keys-chord', 'shadow-deep'];
  const [straight, wandering] = [await runAs('test', { only }), await runAs('test:wanderer', { only })];
  for (const [index, { outcome, steps, taskId }] of wandering.episodes.entries()) {
    expect(['passed', 'failed'], taskId).toContain(outcome);
    if (outcome === 'passed') expect(steps, taskId).toBeGreaterThan(straight.episodes[index]?.steps ?? 0);
  }
  expect(wandering.summary.passed).toBeGreaterThan(0);
}, 120_000);
