/** `waymark launch`: a dataset asked of a model, by a server that runs; waits until it is scored. */
import { setTimeout as wait } from 'node:timers/promises';
import { WaymarkError } from '../errors/index.ts';
import type { Answer, Request } from '../server/client.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { type HarnessApi, harnessFlags, openHarnessApi } from './harness-api.ts';
import type { Terminal } from './terminal.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:7520/';
const LOOK_MS = 500;

type Run = Answer<'get', '/runs/{id}'>;

export const launchCommand = defineCommand({
  name: 'launch',
  about: [
    'launches a dataset on a model of an API provider, on a server that runs (waymark serve), and waits until it is scored.',
    'Ctrl-C ends the waiting, not the run. Exits with 1 when an item has no answer or no score.',
  ].join('\n'),
  operands: { label: '<dataset>', about: 'its id or its name; see: waymark datasets list' },
  flags: {
    api: {
      ...harnessFlags.api,
      about: `the address of the Waymark server (${DEFAULT_SERVER}); its token, if it has one, in WAYMARK_TOKEN`,
    },
    provider: { type: 'string', value: '<name|id>', about: 'the API provider' },
    model: { type: 'string', value: '<model>', about: "the model, by the provider's own name for it" },
    sections: { type: 'string', value: '<name,…>', about: 'only these sections' },
    'max-items': { type: 'string', value: '<number>', about: 'no more than so many items' },
    temperature: { type: 'string', value: '<number>', about: "0 to 2 (the provider's default)" },
    'max-tokens': { type: 'string', value: '<number>', about: 'the longest answer' },
    system: { type: 'string', value: '<text>', about: 'said before every prompt' },
    concurrency: { type: 'string', value: '<number>', about: 'calls at once (4)' },
    rate: { type: 'string', value: '<number>', about: 'calls in a minute, at most' },
    judge: { type: 'string', value: '<name|id>', about: 'the API provider that judges what no checker can' },
    'judge-model': { type: 'string', value: '<model>', about: "the judge's model" },
    label: { type: 'string', value: '<text>', about: 'a word for the list of runs' },
    detach: { type: 'boolean', about: 'do not wait' },
    json: harnessFlags.json,
  },
  renamed: { server: 'api' },
  examples: [
    { line: 'waymark launch Questions --provider OpenAI --model gpt-5-mini', does: 'ask, wait, score' },
    { line: 'waymark launch 6b0c… --provider Local --model llama4 --max-items 20 --detach', does: 'only begin it' },
  ],
  async run(flags, terminal, operands) {
    const [dataset] = operands;
    const { provider, model } = flags;
    if (dataset === undefined || operands.length > 1 || provider === undefined || model === undefined) {
      throw new WaymarkError({
        code: 'usage_launch',
        message: dataset === undefined ? 'Give the name or the id of one dataset.' : 'Give --provider and --model.',
        hint: 'See: waymark launch --help',
      });
    }
    await using api = await openHarnessApi({ api: flags.api ?? DEFAULT_SERVER }, terminal);
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
  },
});

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

function numberIn(text: string | undefined, name: string, flag: string): Record<string, number> {
  if (text === undefined) return {};
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return { [name]: value };
  throw new WaymarkError({ code: 'usage_number', message: `--${flag} takes a number, not "${text}".` });
}

/** By id, or by a name that only one of them has. */
async function idOf(api: HarnessApi, what: 'datasets' | 'providers', text: string): Promise<string> {
  const all =
    what === 'datasets'
      ? (await api.call('get', '/datasets', { query: { limit: 500 } })).datasets
      : (await api.call('get', '/providers')).providers;
  const fits = all.filter(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase());
  const [only] = fits;
  if (only && fits.length === 1) return only.id;
  const one = what === 'datasets' ? 'dataset' : 'API provider';
  throw new WaymarkError({
    code: what === 'datasets' ? 'usage_dataset' : 'usage_provider',
    message: fits.length === 0 ? `There is no ${one} ${text}.` : `${fits.length} of the ${one}s are called ${text}.`,
    hint:
      fits.length === 0
        ? `There are: ${all.map(({ name }) => name).join(', ') || 'none'}.`
        : `Give the id: ${fits.map(({ id }) => id).join(', ')}.`,
  });
}
