import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runStage } from './stage.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-stage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(script: string, more: { capMs?: number; report?: string } = {}) {
  const said: string[] = [];
  const result = await runStage({ name: 'try', args: ['-e', script], ...more }, folder, (text) => said.push(text));
  return { result, said };
}

test('a stage that passes prints one line, without its output', async () => {
  const { result, said } = await run('console.log("chatter")');
  expect(result).toEqual({ name: 'try', ok: true, seconds: expect.any(Number) });
  expect(said).toEqual([expect.stringMatching(/^ok {5}try, \d+\.\d s$/)]);
});

test('a stage that fails shows its output in full, from both streams', async () => {
  const { result, said } = await run(
    'console.log("#".repeat(300_000)); console.error("the reason"); process.exitCode = 7',
  );
  expect(result.ok).toBe(false);
  expect(said[0]).toMatch(/^FAILED try, \d+\.\d s \(exit code 7\)$/);
  // The streams may be interleaved, but nothing is lost.
  expect(said[1]?.match(/#/g)).toHaveLength(300_000);
  expect(said[1]).toContain('the reason');
});

test('a stage that exceeds its time limit is ended with everything that it started, and named', async () => {
  const child =
    'require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })';
  const script = `require("fs").writeFileSync("pid", String(${child}.pid)); setInterval(() => {}, 1000)`;
  const { result, said } = await run(script, { capMs: 1_500 });
  expect(result.ok).toBe(false);
  expect(said[0]).toMatch(/^FAILED try, \d+\.\d s \(ended after its limit of 1\.5 s\)$/);
  const pid = Number(readFileSync(path.join(folder, 'pid'), 'utf8'));
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 5_000 });
});

test('a test stage without a report counts one failure', async () => {
  const { result } = await run('process.exit(1)', { report: path.join(folder, 'none.json') });
  expect(result.counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

/** A zombie counts as ended: it only waits for its parent to collect it. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
