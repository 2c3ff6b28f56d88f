/** `waymark export`: writes a run in a format that other programs read. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { defaultName, EXPORT_FORMATS, type ExportFormat, exportRun, readRunFile } from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { interruptible } from './interruptible.ts';
import { runFolder, runOperand } from './run-operand.ts';
import { version } from './version.ts';

export const exportCommand = defineCommand({
  name: 'export',
  about: [
    'writes a run in a format that other programs read. The run itself is not changed.',
    'csv: a line for each planned attempt. atif: trajectories with their pictures. online-mind2web: folders that the judge of that benchmark reads. otlp: OpenTelemetry spans, into a file or to a collector. markdown: report.md.',
    'Nothing leaves this machine unless --endpoint is given, and spans have no texts of tasks, calls and results unless --content is.',
    'Exit code: 0 written or sent, 2 no run or an unknown format, 3 it could not be written or sent.',
  ].join('\n'),
  operands: runOperand,
  flags: {
    format: { type: 'string', value: '<format>', about: EXPORT_FORMATS.join(', ') },
    out: { type: 'string', value: '<path>', about: 'the file, or the folder for atif and online-mind2web (<run-id>…)' },
    endpoint: { type: 'string', value: '<url>', about: 'otlp: send the spans to this collector (OTLP/HTTP, JSON)' },
    header: {
      type: 'string',
      value: '<name=value>',
      isList: true,
      about: 'otlp: a header for the collector, e.g. its key; several are separated by commas',
    },
    content: { type: 'boolean', about: 'otlp: with goals, arguments and results of calls' },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark export .waymark/runs/<run-id> --format csv --out results.csv', does: 'for a spreadsheet' },
    { line: 'waymark export .waymark/runs/<run-id> --format atif --out trajectories', does: 'trajectories as ATIF' },
    {
      line: 'waymark export .waymark/runs/<run-id> --format otlp --endpoint http://127.0.0.1:4318',
      does: 'send spans to a collector',
    },
  ],
  async run(flags, terminal, operands) {
    const root = runFolder('export', operands, terminal);
    const format = formatOf(flags.format);
    if (format !== 'otlp' && (flags.endpoint !== undefined || flags.header !== undefined || flags.content))
      throw usage('--endpoint, --header and --content belong to --format otlp.');
    if (flags.endpoint !== undefined && flags.out !== undefined)
      throw usage('Give --endpoint or --out, not both: spans are sent, or written into a file.');
    const { runId } = readRunFile(root).plan;
    using interruption = interruptible((line) => terminal.err(`${line}\n`));
    const exported = await exportRun(root, {
      format,
      out: path.resolve(terminal.cwd, flags.out ?? defaultName(format, runId)),
      endpoint: flags.endpoint,
      headers: headersOf(flags.header),
      content: flags.content === true,
      version: version(),
      signal: interruption.signal,
    });
    const { attempts, spans, to } = exported;
    const what = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${spans === undefined ? '' : `, ${spans} spans`}`;
    terminal.out(flags.json ? `${JSON.stringify({ runId, ...exported })}\n` : `${what}: ${to}\n`);
    return EXIT.ok;
  },
});

function formatOf(given: string | undefined): ExportFormat {
  const format = EXPORT_FORMATS.find((known) => known === given);
  if (format !== undefined) return format;
  throw usage(
    `${given === undefined ? 'Give a format' : `"${given}" is not a format that runs are exported in`}: --format ${EXPORT_FORMATS.join(', ')}.`,
  );
}

/** As OTEL_EXPORTER_OTLP_HEADERS has them. */
function headersOf(given: string | undefined): Record<string, string> {
  const pairs = (given ?? '').split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*=\s*([^\r\n]*)$/.exec(pair) ?? [];
      if (name === undefined || value === undefined)
        throw usage(`--header takes name=value, but got "${pair.trim()}".`);
      return [name, value.trim()];
    }),
  );
}

function usage(message: string): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_value',
    message,
    hint: 'For example: waymark export .waymark/runs/<run-id> --format csv --out results.csv',
  });
}
