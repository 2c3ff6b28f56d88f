/** A file with a dataset: JSONL, or a bundle, which its first bytes tell. */
import { WaymarkError } from '../../errors/index.ts';
import { readBundle } from './bundle.ts';
import { versionHash } from './dataset.ts';
import { type DatasetReport, parseJsonl } from './jsonl.ts';

export interface ReadDataset {
  /** Only a report without problems should be used. */
  readonly report: DatasetReport;
  /** Only bundles have one. */
  readonly name?: string;
}

export async function readDataset(bytes: Buffer): Promise<ReadDataset> {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    const { name, items } = await readBundle(bytes);
    const report = {
      lines: items.length,
      accepted: items.length,
      problems: [],
      items,
      version_hash: versionHash(items),
    };
    return { name, report };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The decoder throws only for bytes that are not UTF-8.
    throw new WaymarkError({ code: 'dataset_invalid', message: 'The file is not UTF-8 text.' });
  }
  return { report: parseJsonl(text) };
}
