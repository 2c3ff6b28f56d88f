/** `waymark run <dataset> --api …`: a dataset of a Waymark server, asked there of a model of its API provider. Waits until it is scored; Ctrl-C ends the waiting, not the run. */
import { setTimeout as wait } from 'node:timers/promises';
import { WaymarkError } from '../errors/index.ts';
import type { Answer, Request } from '../server/client.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type HarnessApi, openHarnessApi } from './harness-api.ts';
import { numberIn } from './number-flag.ts';
import { idOf } from './server-ids.ts';
import type { Terminal } from './terminal.ts';

const LOOK_MS = 500;

type Run = Answer<'get', '/runs/{id}'>;

/** The flags of `waymark run` that such a run takes. */
export interface ServerRunFlags {
  api: string;
  provider?: string;
  model?: string;
  sections?: string;
  'max-items'?: string;
  temperature?: string;
  'max-tokens'?: string;
  system?: string;
  concurrency?: string;
  rate?: string;
  judge?: string;
  'judge-model'?: string;
  label?: string;
  detach?: boolean;
  json?: boolean;
}

export async function runOnServer(
  flags: ServerRunFlags,
  terminal: Terminal,
  operands: readonly string[],
): Promise<ExitCode> {
  const [dataset] = operands;
  const { provider, model } = flags;
  if (dataset === undefined || operands.length > 1 || provider === undefined || model === undefined) {
    throw new WaymarkError({
      code: 'usage_launch',
      message: dataset === undefined ? 'Give the name or the id of one dataset.' : 'Give --provider and --model.',
      hint: 'See: waymark run --help',
    });
  }
  await using api = await openHarnessApi({ api: flags.api }, terminal);
  const params = {
    ...numberIn(flags.temperature, 'temperature', 'temperature'),
    ...numberIn(flags['max-tokens'], 'max_tokens', 'max-tokens'),
    ...(flags.system === undefined ? {} : { system: flags.system }),
  };
  const request: Request<'post', '/runs'>['json'] = {
    dataset_id: await idOf(api, 'datasets', dataset),
    provider_id: await idOf(api, 'providers', provider),
    model,
    params,
    ...(flags.sections ? { sections: flags.sections.split(',') } : {}),
    ...numberIn(flags['max-items'], 'max_items', 'max-items'),
    ...numberIn(flags.concurrency, 'concurrency', 'concurrency'),
    ...numberIn(flags.rate, 'requests_per_minute', 'rate'),
    ...(flags.label === undefined ? {} : { label: flags.label }),
    ...(flags.judge === undefined
      ? {}
      : { judge: { provider_id: await idOf(api, 'providers', flags.judge), model: flags['judge-model'] ?? '' } }),
  };
  const launched = await api.call('post', '/runs', { json: request });
  const { run_id, items, warnings } = launched;
  if (!flags.json) {
    terminal.err(`run ${run_id}: ${items} items\n`);
    for (const { message } of warnings) terminal.err(`${terminal.paint('yellow', 'warning')}: ${message}\n`);
  }
  if (flags.detach) {
    terminal.out(flags.json ? `${JSON.stringify(launched)}\n` : `${run_id}\n`);
    return EXIT.ok;
  }
  const run = await untilScored(api, run_id, flags.json ? () => undefined : (line) => terminal.err(`${line}\n`));
  terminal.out(flags.json ? `${JSON.stringify({ run_id, ...run })}\n` : textOf(run_id, run, terminal));
  return isWell(run) ? EXIT.ok : EXIT.checkFailed;
}

async function untilScored(api: HarnessApi, id: string, say: (line: string) => void): Promise<Run> {
  let said = '';
  for (;;) {
    const run = await api.call('get', '/runs/{id}', { params: { id } });
    const { status, scoring_status: scoring, counts, item_count } = run;
    const isAsking = status === 'queued' || status === 'running';
    const isScoring = status === 'completed' && (scoring === 'queued' || scoring === 'running');
    const { answered = 0, errored = 0 } = counts;
    const line = isAsking
      ? `${status}: ${answered} of ${item_count} answered${errored > 0 ? `, ${errored} with errors` : ''}`
      : `${status}, scoring ${scoring}`;
    if (line !== said) say(line);
    said = line;
    if (!isAsking && !isScoring) return run;
    await wait(LOOK_MS);
  }
}

function isWell({ status, scoring_status, counts }: Run): boolean {
  return status === 'completed' && scoring_status === 'done' && (counts['errored'] ?? 0) === 0;
}

function textOf(id: string, run: Run, terminal: Terminal): string {
  const { status, status_reason, scoring_status, scoring_reason, counts, item_count, accuracy } = run;
  const { answered = 0, errored = 0, missing = 0, scored = 0 } = counts;
  const right = accuracy === null ? 'nothing scored' : `${(accuracy * 100).toFixed(1)} % right`;
  const lines = [
    `run ${id}: ${terminal.paint(isWell(run) ? 'green' : 'yellow', status)}${status_reason === null ? '' : `. ${status_reason}`}`,
    `${answered} of ${item_count} items answered, ${errored} with errors, ${missing} missing`,
    `${right}, over ${scored} of ${item_count} items (scoring ${scoring_status}${scoring_reason === null ? '' : `: ${scoring_reason}`})`,
  ];
  return `${lines.join('\n')}\n`;
}
