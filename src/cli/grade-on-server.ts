/** `waymark grade <run> --api …`: the answers of a run of a Waymark server, graded there by further graders. Ctrl-C ends the waiting, not the grading. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { Answer, Request } from '../server/client.ts';
import type { FlagValues } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { graderFlags } from './grader-flags.ts';
import { type HarnessApi, openHarnessApi } from './harness-api.ts';
import { count, dollars } from './number-flag.ts';
import { idOf } from './server-ids.ts';
import type { Terminal } from './terminal.ts';

const LOOK_MS = 500;

type Grading = Answer<'get', '/runs/{id}/gradings/{grading}'>;
type Asked = Request<'post', '/runs/{id}/grades'>['json'];

export interface ServerGradeFlags extends FlagValues<typeof graderFlags> {
  api: string;
  judge?: string;
  only?: string;
  json?: boolean;
}

export async function gradeOnServer(
  flags: ServerGradeFlags,
  terminal: Terminal,
  operands: readonly string[],
): Promise<ExitCode> {
  const [id, another] = operands;
  if (id === undefined || another !== undefined || flags.grader === undefined) {
    throw new WaymarkError({
      code: 'usage_run_folder',
      message: flags.grader === undefined ? 'Say which grader: --grader rubric.' : 'Give the id of one run.',
      hint: 'See: waymark grade --help',
    });
  }
  await using api = await openHarnessApi({ api: flags.api }, terminal);
  const calls = count(flags['max-judge-calls'], 'max-judge-calls');
  const usd = dollars(flags['max-judge-cost'], 'max-judge-cost');
  const votes = count(flags['judge-votes'], 'judge-votes', 99);
  // What is wrong with it, the server says: its schema is the same one.
  const asked = {
    graders: flags.grader.split(',').map((given) => specOf(given, terminal.cwd)),
    ...(flags.judge === undefined
      ? {}
      : { judge: { provider_id: await idOf(api, 'providers', flags.judge), model: flags['judge-model'] ?? '' } }),
    ...(votes === undefined ? {} : { votes }),
    ...(flags.only === undefined ? {} : { only: flags.only }),
    ...(calls === undefined ? {} : { max_calls: calls }),
    ...(usd === undefined ? {} : { max_cost_usd: usd }),
  } as Asked;
  const { id: grading } = await api.call('post', '/runs/{id}/grades', { params: { id }, json: asked });
  const done = await untilGraded(api, id, grading, flags.json ? () => {} : (line) => terminal.err(`${line}\n`));
  terminal.out(flags.json ? `${JSON.stringify(done)}\n` : `${lineOf(done)}\n`);
  return done.status === 'done' && done.counts.error === 0 ? EXIT.ok : EXIT.checkFailed;
}

async function untilGraded(
  api: HarnessApi,
  id: string,
  grading: string,
  say: (line: string) => void,
): Promise<Grading> {
  for (let said = ''; ; ) {
    const found = await api.call('get', '/runs/{id}/gradings/{grading}', { params: { id, grading } });
    if (found.status !== 'queued' && found.status !== 'running') return found;
    if (lineOf(found) !== said) say(lineOf(found));
    said = lineOf(found);
    await wait(LOOK_MS);
  }
}

function lineOf({ status, reason, counts }: Grading): string {
  const { pass, fail, error, skipped, calls, cost_usd } = counts;
  const cost = calls > 0 ? `; ${calls} calls of the judge, $${cost_usd.toFixed(4)} as far as known` : '';
  return `${status}: ${pass} pass, ${fail} fail, ${error} could not be graded, ${skipped} skipped${cost}${reason === null ? '' : `. ${reason}`}`;
}

/** A kind of grader, or a JSON file with its settings. */
function specOf(given: string, cwd: string): unknown {
  if (!given.endsWith('.json')) return { grader: given };
  try {
    return JSON.parse(readFileSync(path.resolve(cwd, given), 'utf8'));
  } catch (error) {
    throw new WaymarkError({
      code: 'usage_bad_grader',
      message: `${given} can't be read as JSON: ${messageOf(error)}`,
    });
  }
}
