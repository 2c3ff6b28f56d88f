/** A dataset as one file, `*.eval752.zip`: `manifest.json` and `items.jsonl`, including answers. For moving datasets, never for a chat page. */
import { z } from 'zod';
import {
  decodeText,
  invalid,
  MAX_BODY_BYTES,
  MAX_ENTRY_BYTES,
  matchSchema,
  parseEntry,
  readZip,
  writeZip,
} from '../../archives/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import type { Dataset } from './dataset.ts';
import type { Item } from './item.ts';
import { parseJsonl, toJsonl } from './jsonl.ts';

const BUNDLE_FORMAT = 'eval752.dataset.v1';
const CAPS = {
  'manifest.json': MAX_ENTRY_BYTES['manifest.json'],
  'items.jsonl': MAX_ENTRY_BYTES['items.jsonl'],
} as const;

const manifestSchema = z.object({
  format: z.literal(BUNDLE_FORMAT),
  exported_at: z.iso.datetime({ offset: true }),
  dataset: z.object({ id: z.string().min(1).max(200), name: z.string().min(1).max(200) }),
  version_hash: z.string().regex(/^[0-9a-f]{64}$/),
  item_count: z.int().nonnegative(),
});

export interface DatasetBundle {
  readonly id: string;
  readonly name: string;
  readonly version_hash: string;
  readonly items: readonly Item[];
}

/** The same dataset and date always give the same bytes. */
export function writeBundle(dataset: Dataset, at: Date): Buffer {
  const manifest: z.infer<typeof manifestSchema> = {
    format: BUNDLE_FORMAT,
    exported_at: at.toISOString(),
    dataset: { id: dataset.id, name: dataset.name },
    version_hash: dataset.version_hash,
    item_count: dataset.items.length,
  };
  return writeZip(
    [
      { name: 'manifest.json', text: JSON.stringify(manifest) },
      { name: 'items.jsonl', text: toJsonl(dataset.items) },
    ],
    at,
  );
}

/** Completely or not at all: a bundle with an invalid line, or with a wrong version hash, is refused. */
export async function readBundle(bytes: Buffer): Promise<DatasetBundle> {
  if (bytes.length > MAX_BODY_BYTES) {
    throw new WaymarkError({
      code: 'payload_too_large',
      message: `The bundle has ${bytes.length} bytes; ${MAX_BODY_BYTES} are allowed.`,
    });
  }
  const files = await readZip(bytes, CAPS);
  const text = (name: keyof typeof CAPS): string => decodeText(files.get(name) ?? Buffer.alloc(0), name);
  const manifest = matchSchema(manifestSchema, parseEntry(text('manifest.json'), 'manifest.json'), 'manifest.json');
  const report = parseJsonl(text('items.jsonl'));
  if (report.problems.length > 0) {
    const issues = report.problems.map(({ line, code, message, item_id }) => ({
      path: `items.jsonl:${line}`,
      code,
      message,
      ...(item_id === undefined ? {} : { item_id }),
    }));
    throw new WaymarkError({
      code: 'dataset_invalid',
      message: `${report.problems.length} lines of the bundle are invalid.`,
      issues,
    });
  }
  if (report.accepted !== manifest.item_count) {
    throw invalid(
      'count_mismatch',
      'manifest.json',
      `it announces ${manifest.item_count} items and contains ${report.accepted}.`,
    );
  }
  if (report.version_hash !== manifest.version_hash) {
    throw invalid('version_mismatch', 'manifest.json', 'its items do not match its version hash.');
  }
  return { ...manifest.dataset, version_hash: report.version_hash, items: report.items };
}
