/** Sends the spans of a run to a collector by OTLP/HTTP with JSON, or writes them into a file, a request a line. Nothing is sent unless an address is given. */
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { putPieces, Spool } from '../../journal/index.ts';
import { readRunFile } from '../folder/run-file.ts';
import { type Exported, exportedAttempts, refuseQuestions } from './exported-attempts.ts';
import { attemptSpans, type Span, type SpanOptions } from './otlp-spans.ts';

/** Collectors take a few MiB at a time. */
const SPANS_AT_ONCE = 100;
const TIMEOUT_MS = 30_000;

export interface OtlpOptions extends SpanOptions {
  version: string;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

export async function sendOtlp(root: string, endpoint: string, options: OtlpOptions): Promise<Exported> {
  const url = tracesUrl(endpoint);
  const counts = await eachRequest(root, options, (body) => send(url, body, options));
  return { format: 'otlp', ...counts, to: url.href };
}

export async function writeOtlp(root: string, file: string, options: OtlpOptions): Promise<Exported> {
  using lines = new Spool(`${file}.list`);
  const counts = await eachRequest(root, options, async (body) => lines.add(`${body}\n`));
  putPieces(file, lines.pieces());
  return { format: 'otlp', ...counts, to: file };
}

async function eachRequest(
  root: string,
  options: OtlpOptions,
  take: (body: string) => Promise<void>,
): Promise<{ attempts: number; spans: number }> {
  refuseQuestions(root, 'otlp');
  const { runId } = readRunFile(root).plan;
  const counts = { attempts: 0, spans: 0 };
  const waiting: Span[] = [];
  for await (const attempt of exportedAttempts(root)) {
    const spans = attemptSpans(attempt, options);
    counts.attempts++;
    counts.spans += spans.length;
    waiting.push(...spans);
    while (waiting.length >= SPANS_AT_ONCE) await take(requestOf(runId, waiting.splice(0, SPANS_AT_ONCE), options));
  }
  if (waiting.length > 0) await take(requestOf(runId, waiting, options));
  return counts;
}

function requestOf(runId: string, spans: readonly Span[], { version }: OtlpOptions): string {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const resource = {
    attributes: [text('service.name', 'waymark'), text('service.version', version), text('waymark.run.id', runId)],
  };
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'waymark', version }, spans }] }],
  });
}

/** As OTLP says: the address of a collector, to which the path of traces is added, or the address of traces itself. */
function tracesUrl(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: `--endpoint takes the address of a collector, but got "${endpoint}".`,
      hint: 'For example: --endpoint http://127.0.0.1:4318',
    });
  }
  if (!url.pathname.endsWith('/v1/traces')) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url;
}

async function send(url: URL, body: string, { headers, signal }: OtlpOptions): Promise<void> {
  const request = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    redirect: 'error' as const,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  };
  let text: string;
  let status: number;
  try {
    const response = await fetch(url, request);
    status = response.status;
    text = await response.text();
  } catch (cause) {
    throw notSent(url, messageOf(Object(cause).cause ?? cause), cause);
  }
  if (status !== 200) throw notSent(url, `it answered ${status}${text === '' ? '' : `: ${text.slice(0, 200)}`}`);
  const rejected = rejectedIn(text);
  if (rejected !== undefined) throw notSent(url, rejected);
}

/** A collector may take a request and say that it did not take all of it. */
function rejectedIn(text: string): string | undefined {
  try {
    const { rejectedSpans, errorMessage } = Object(Object(JSON.parse(text)).partialSuccess);
    const count = Number(rejectedSpans ?? 0);
    return count > 0 ? `it rejected ${count} spans${errorMessage ? `: ${errorMessage}` : ''}` : undefined;
  } catch {
    // Some collectors answer with nothing.
    return undefined;
  }
}

function notSent(url: URL, why: string, cause?: unknown): WaymarkError {
  return new WaymarkError({
    code: 'export_not_sent',
    message: `The spans could not be sent to ${url.href}: ${why}.`,
    hint: 'Check the address and that a collector takes OTLP/HTTP with JSON there. Spans that were sent before keep their ids: send the run again.',
    cause,
  });
}
