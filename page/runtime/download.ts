/** A capture as a file: ZIP; JSON when that fails; and when no file can be saved at all, the text itself, for the user to copy. */
import type { Capture } from '../../src/capture/formats.ts';
import { zip } from './zip.ts';

/** Firefox reads the blob after the click has returned. */
const KEEP_BLOB_MS = 60_000;

export type Saved = { readonly file: string } | { readonly text: string; readonly reason: string };

export function download(capture: Capture, isPartial: boolean): Saved {
  const name = fileName(capture, isPartial);
  try {
    return save(`${name}.eval752.zip`, new Blob([archive(capture)], { type: 'application/zip' }));
  } catch {
    // Where no archive can be made, the same capture is saved as JSON.
    try {
      return save(`${name}.eval752.json`, new Blob([JSON.stringify(capture)], { type: 'application/json' }));
    } catch (thrown) {
      return { text: JSON.stringify(capture), reason: String(thrown) };
    }
  }
}

function archive({ manifest, browser_harness, results }: Capture): Uint8Array<ArrayBuffer> {
  return zip(
    [
      { name: 'manifest.json', text: JSON.stringify(manifest) },
      { name: 'browser_harness.json', text: JSON.stringify(browser_harness) },
      { name: 'results.jsonl', text: results.map((result) => `${JSON.stringify(result)}\n`).join('') },
    ],
    new Date(manifest.exported_at),
  );
}

function save(file: string, blob: Blob): Saved {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_BLOB_MS);
  return { file };
}

function fileName({ manifest, browser_harness }: Capture, isPartial: boolean): string {
  const stamp = manifest.exported_at.replace(/[-:]|\.\d+/g, '');
  return `browser-harness-${browser_harness.target.preset}-${stamp}${isPartial ? '-partial' : ''}`;
}
