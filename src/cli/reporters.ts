/** `--reporter <name[=file],…>`: what is shown while a run goes on, and which documents are written of it at the end. */
import { appendFileSync, copyFileSync, cpSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { junitReport, readReportedRun, stepSummary } from '../runs/tasks.ts';
import { reportJson } from './report-json.ts';
import type { Terminal } from './terminal.ts';

const DISPLAYS = ['line', 'list'] as const;
const DOCUMENTS = ['junit', 'github', 'json', 'html'] as const;
type DocumentKind = (typeof DOCUMENTS)[number];

interface WantedDocument {
  readonly kind: DocumentKind;
  /** Undefined: the standard output. */
  readonly file: string | undefined;
}

export interface Reporters {
  readonly display: 'line' | 'list' | undefined;
  readonly documents: readonly WantedDocument[];
  /** One of them is written to the standard output, which then has nothing else. */
  readonly takesOutput: boolean;
}

/** @throws WaymarkError usage_bad_value, before anything is run. */
export function parseReporters(
  given: string | undefined,
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
  { json = false }: { json?: boolean | undefined } = {},
): Reporters {
  const entries = (given?.split(',') ?? []).map((entry) => {
    const at = entry.indexOf('=');
    return at < 0 ? { name: entry } : { name: entry.slice(0, at), file: entry.slice(at + 1) };
  });
  const displays: ('line' | 'list')[] = [];
  const documents: WantedDocument[] = [];
  for (const { name, file } of entries) {
    const display = DISPLAYS.find((known) => known === name);
    const kind = DOCUMENTS.find((known) => known === name);
    if (file === '' || (display && file !== undefined))
      throw usage(`--reporter ${name} takes ${display ? 'no' : 'a'} file: ${name}=${file}.`);
    if (display) displays.push(display);
    else if (kind) documents.push({ kind, file: fileOf(kind, file, { env, cwd }) });
    else throw usage(`There is no reporter "${name}".`, `Reporters are: ${[...DISPLAYS, ...DOCUMENTS].join(', ')}.`);
  }
  if (displays.length > 1) throw usage('--reporter takes one of line and list.');
  const toOutput = documents.filter(({ kind, file }) => file === undefined && kind !== 'html');
  if (toOutput.length + (json ? 1 : 0) > 1)
    throw usage(
      'Two reporters would write to the standard output.',
      'Give one of them a file: --reporter junit=results.xml',
    );
  return { display: displays[0], documents, takesOutput: toOutput.length > 0 };
}

function fileOf(
  kind: DocumentKind,
  given: string | undefined,
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): string | undefined {
  const named = given ?? (kind === 'github' ? env['GITHUB_STEP_SUMMARY'] : undefined);
  if (named === undefined || named === '') {
    if (kind !== 'github') return undefined;
    throw usage(
      '--reporter github needs a file: GITHUB_STEP_SUMMARY is not set.',
      'Give one: --reporter github=summary.md',
    );
  }
  const file = path.resolve(cwd, named);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw usage(`--reporter ${kind}: ${file} is a folder.`);
  return file;
}

/** After the reports of the run are written. */
export function writeDocuments(root: string, { documents }: Reporters, { out }: Pick<Terminal, 'out'>): void {
  for (const { kind, file } of documents) {
    try {
      if (file !== undefined) mkdirSync(path.dirname(file), { recursive: true });
      if (kind === 'html') {
        if (file !== undefined) copyPage(root, file);
        continue;
      }
      const text = textOf(kind, root);
      if (file === undefined) out(text);
      // GitHub's file has the summaries of a step one after the other.
      else if (kind === 'github') appendFileSync(file, text);
      else writeFileSync(file, text);
    } catch (cause) {
      throw new WaymarkError({
        code: 'file_write_failed',
        message: `The ${kind} report can't be written: ${messageOf(cause)}.`,
        hint: `The run is whole: waymark report ${root} --reporter ${kind}=<file> writes it again.`,
        cause,
      });
    }
  }
}

/** The report of a large run has a folder beside it. */
function copyPage(root: string, file: string): void {
  copyFileSync(path.join(root, 'report.html'), file);
  const data = path.join(root, 'report-data');
  if (existsSync(data)) cpSync(data, path.join(path.dirname(file), 'report-data'), { recursive: true });
}

function textOf(kind: Exclude<DocumentKind, 'html'>, root: string): string {
  if (kind === 'json') return reportJson(root);
  return kind === 'junit' ? junitReport(readReportedRun(root)) : stepSummary(readReportedRun(root));
}

function usage(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, ...(hint === undefined ? {} : { hint }) });
}
