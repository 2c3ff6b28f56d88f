/** `waymark record`: the responses of a site, kept in a file, so that tasks can be run on it offline and always the same. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  Browser,
  ensureBrowser,
  type NetworkPolicy,
  Pool,
  RECORDING_FORMAT,
  type RecordedEntry,
  type Recording,
  type Visit,
  visitPages,
  writeRecording,
} from '../chromium/index.ts';
import { counted, WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';

const TIMEOUT_S = 30;

export const recordCommand = defineCommand({
  name: 'record',
  about: [
    'shows pages in a clean browser, keeps every response in one file, and then checks the file: the same pages are shown again from it,',
    'without a network. A task uses it by "network": {"mode": "replay", "recording": "<file>"}. Exits with 1 when the check asks for',
    'something that was not recorded.',
  ].join('\n'),
  operands: { label: '<url…>', about: 'the pages, in the order in which they are shown' },
  flags: {
    out: { type: 'string', value: '<file>', about: 'where the recording goes (<host>.json)' },
    timeout: {
      type: 'string',
      value: '<seconds>',
      about: `leave a page after this long, even if its network is not quiet (${TIMEOUT_S})`,
    },
    force: { type: 'boolean', about: 'replace a file that is there' },
    browser: { type: 'string', value: '<shell|chrome|path>', about: 'the browser to record with' },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark record https://example.com/', does: 'write example.com.json' },
    {
      line: 'waymark record https://example.com/ https://example.com/about --out recordings/example.json',
      does: 'keep two pages in one recording',
    },
  ],
  async run(flags, terminal, operands) {
    const urls = operands.map(pageUrl);
    const [first] = urls;
    if (first === undefined) throw usage('Give the address of at least one page.');
    const file = path.resolve(terminal.cwd, flags.out ?? `${new URL(first).host.replaceAll(':', '-')}.json`);
    if (existsSync(file) && !flags.force) throw usage(`${file} exists already.`, 'Add --force to replace it.');
    const timeoutMs = seconds(flags.timeout) * 1000;
    const say = (line: string): void => {
      if (!flags.json) terminal.err(`${line}\n`);
    };
    const browser = ensureBrowser(say, { wanted: flags.browser });
    await using pool = new Pool({ slots: 1, start: () => Browser.launch({ browser }) });
    const entries: RecordedEntry[] = [];
    say(`recording ${counted(urls.length, 'page')}`);
    const recorded = await visit(pool, urls, timeoutMs, { mode: 'record', onEntry: (entry) => entries.push(entry) });
    for (const { url, title, wasQuiet } of recorded)
      say(`  ${url}  ${title}${wasQuiet ? '' : `  (left after ${timeoutMs / 1000} s, its network was still busy)`}`);
    const source = `waymark record ${urls.join(' ')}`;
    const recording: Recording = { format: RECORDING_FORMAT, source, entries };
    mkdirSync(path.dirname(file), { recursive: true });
    writeRecording(file, recording);
    say('checking it: the same pages without a network');
    const missing = new Set<string>();
    const replay: NetworkPolicy = { mode: 'replay', recording, onMiss: (request) => missing.add(request) };
    const replayed = await visit(pool, urls, timeoutMs, replay);
    const moved = replayed.filter(({ finalUrl }, index) => finalUrl !== recorded[index]?.finalUrl);
    const isWhole = missing.size === 0 && moved.length === 0;
    const bytes = statSync(file).size;
    if (flags.json) {
      const about = { file, bytes, responses: entries.length, pages: recorded, missing: [...missing], ok: isWhole };
      terminal.out(`${JSON.stringify(about, null, 2)}\n`);
    } else {
      terminal.out(`${entries.length} responses, ${Math.ceil(bytes / 1024)} kB, written to ${file}\n`);
      for (const request of missing) terminal.out(`${terminal.paint('yellow', 'not recorded')}: ${request}\n`);
      for (const { url, finalUrl } of moved)
        terminal.out(`${terminal.paint('yellow', 'differs')}: ${url} ended at ${finalUrl} when it was replayed\n`);
    }
    return isWhole ? EXIT.ok : EXIT.checkFailed;
  },
});

async function visit(pool: Pool, urls: readonly string[], timeoutMs: number, network: NetworkPolicy): Promise<Visit[]> {
  const { slot } = await pool.acquire();
  try {
    await slot.witness.configure({ network });
    return await visitPages(slot, urls, { timeoutMs });
  } finally {
    await slot.release();
  }
}

function pageUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw usage(`"${given}" is not the address of a page.`, 'Give a whole address, such as https://example.com/.');
}

function seconds(given: string | undefined): number {
  const value = given === undefined ? TIMEOUT_S : Number(given);
  if (Number.isFinite(value) && value > 0 && value <= 600) return value;
  throw usage(`--timeout takes a number of seconds up to 600, but got "${given}".`);
}

function usage(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, ...(hint === undefined ? {} : { hint }) });
}
