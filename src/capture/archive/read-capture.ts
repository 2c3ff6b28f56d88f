/** Parses uploaded bytes into a capture, or refuses them with the rule that they break. The type is detected from the first bytes, not from a name or a header. */
import { z } from 'zod';
import {
  decodeText,
  invalid,
  isZip,
  MAX_BODY_BYTES,
  MAX_ENTRY_BYTES,
  MAX_LINES,
  matchSchema,
  parseEntry,
  parseEntryLines,
  readZip,
  unsafe,
} from '../../archives/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { givingWay } from '../../runs/index.ts';
import { CAPTURE_FORMAT } from '../formats.ts';
import {
  browserHarnessSchema,
  type Capture,
  type CaptureResult,
  manifestSchema,
  resultSchema,
} from './capture-schema.ts';

const CAPS = {
  'manifest.json': MAX_ENTRY_BYTES['manifest.json'],
  'browser_harness.json': MAX_ENTRY_BYTES['browser_harness.json'],
  'results.jsonl': MAX_ENTRY_BYTES['results.jsonl'],
} as const;

/** The parts before their schemas have been applied. */
interface Parts {
  readonly manifest: unknown;
  readonly browser_harness: unknown;
  readonly results: readonly unknown[];
}

/**
 * The ZIP that the page makes, or its JSON fallback `{manifest, browser_harness, results[]}`.
 *
 * @throws WaymarkError payload_too_large, unsupported_media, archive_invalid or archive_unsafe
 */
export async function readCapture(bytes: Buffer): Promise<Capture> {
  if (bytes.length > MAX_BODY_BYTES) {
    throw new WaymarkError({
      code: 'payload_too_large',
      message: `The capture has ${bytes.length} bytes; ${MAX_BODY_BYTES} are allowed.`,
    });
  }
  if (isZip(bytes)) return await toCapture(await zipParts(bytes), { results: 'results.jsonl:', base: 1 });
  if (looksLikeJson(bytes)) return await toCapture(jsonParts(bytes), { results: 'results', base: 0 });
  if (bytes.subarray(0, 2).equals(Buffer.from('PK')))
    throw invalid('magic', '', 'it does not begin as a capture does.');
  throw new WaymarkError({
    code: 'unsupported_media',
    message: 'A capture is a ZIP archive or a JSON object; this is neither.',
  });
}

async function zipParts(bytes: Buffer): Promise<Parts> {
  const files = await readZip(bytes, CAPS);
  const text = (name: keyof typeof CAPS): string => decodeText(files.get(name) ?? Buffer.alloc(0), name);
  return {
    manifest: parseEntry(text('manifest.json'), 'manifest.json'),
    browser_harness: parseEntry(text('browser_harness.json'), 'browser_harness.json'),
    results: parseEntryLines(text('results.jsonl'), 'results.jsonl'),
  };
}

const fallbackSchema = z.object({ manifest: z.unknown(), browser_harness: z.unknown(), results: z.array(z.unknown()) });

function jsonParts(bytes: Buffer): Parts {
  const whole = matchSchema(fallbackSchema, parseEntry(decodeText(bytes, ''), 'capture'), '');
  if (whole.results.length > MAX_LINES)
    throw unsafe('too_many_lines', 'results', `there are more than ${MAX_LINES} results.`);
  return whole;
}

function looksLikeJson(bytes: Buffer): boolean {
  // This includes a byte order mark, which a later rule refuses with its own message.
  const start = bytes
    .subarray(0, 64)
    .toString('latin1')
    .replace(/^(?:ï»¿)?[ \t\r\n]*/, '');
  return start.startsWith('{');
}

async function toCapture(parts: Parts, where: { results: string; base: number }): Promise<Capture> {
  const format = z.object({ format: z.string() }).safeParse(parts.manifest);
  if (format.success && format.data.format !== CAPTURE_FORMAT) {
    const found = JSON.stringify(format.data.format.slice(0, 80));
    throw invalid('format', 'manifest.format', `its format is ${found}; ${CAPTURE_FORMAT} is expected.`);
  }
  const manifest = matchSchema(manifestSchema, parts.manifest, 'manifest');
  const browser_harness = matchSchema(browserHarnessSchema, parts.browser_harness, 'browser_harness');
  const results: CaptureResult[] = [];
  const giveWay = givingWay();
  for (const [index, result] of parts.results.entries()) {
    const place = where.base === 1 ? `${where.results}${index + 1}` : `${where.results}[${index}]`;
    results.push(matchSchema(resultSchema, result, place));
    await giveWay();
  }
  const errors = results.filter(({ error }) => error !== null).length;
  if (manifest.item_count !== results.length || manifest.error_count !== errors) {
    throw invalid(
      'count_mismatch',
      'manifest',
      `it announces ${manifest.item_count} results, ${manifest.error_count} of them errors, and holds ${results.length} and ${errors}.`,
    );
  }
  return { manifest, browser_harness, results };
}
