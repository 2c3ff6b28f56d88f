/** Archives that are well made and hold hostile content: encodings, depth, duplicates, lies about counts, fields of the wrong kind. */

import { writeZip } from '../../../src/archives/write-zip.ts';
import type { Capture } from '../../../src/capture/index.ts';
import { captureFiles, NOW } from '../samples.ts';
import type { HostileCase } from './corpus.ts';
import { rawZip } from './raw-zip.ts';

export function hostilePayloads(capture: Capture): HostileCase[] {
  const cases: HostileCase[] = [];
  const add = (code: HostileCase['code'], rule: string, name: string, bytes: () => Buffer): void => {
    cases.push({ name, code, rule, bytes });
  };
  /** One file with other text; the others are good. */
  const withText = (file: string, text: string | Buffer) => (): Buffer =>
    rawZip(captureFiles(capture).map(({ name, text: good }) => ({ name, data: name === file ? text : good })));
  const withCapture = (change: (copy: Capture) => unknown) => (): Buffer => {
    const changed = change(structuredClone(capture)) as Capture;
    return writeZip(captureFiles(changed), NOW);
  };
  const manifest = (change: Record<string, unknown>) =>
    withCapture((copy) => ({ ...copy, manifest: { ...copy.manifest, ...change } }));
  const harness = (change: Record<string, unknown>) =>
    withCapture((copy) => ({ ...copy, browser_harness: { ...copy.browser_harness, ...change } }));
  const first = (change: Record<string, unknown>) =>
    withCapture((copy) => ({
      ...copy,
      results: copy.results.map((result, at) => (at === 0 ? { ...result, ...change } : result)),
    }));
  const good = captureFiles(capture);
  const text = (name: string): string => good.find((file) => file.name === name)?.text ?? '';
  const line = text('results.jsonl').split('\n')[0] ?? '';
  const invalid = 'archive_invalid';
  const unsafe = 'archive_unsafe';

  // Encodings.
  add(
    invalid,
    'encoding',
    'Latin-1 in the results',
    withText('results.jsonl', Buffer.from(text('results.jsonl').replace('Answer', 'Résumé'), 'latin1')),
  );
  add(
    invalid,
    'encoding',
    'UTF-16 results',
    withText('results.jsonl', Buffer.from(text('results.jsonl'), 'utf16le').fill(0xff, 0, 1)),
  );
  add(invalid, 'encoding', 'an overlong NUL', withText('manifest.json', Buffer.from([0x7b, 0xc0, 0x80, 0x7d])));
  add(
    invalid,
    'encoding',
    'half a surrogate pair as bytes',
    withText('manifest.json', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  );
  add(
    invalid,
    'encoding',
    'a character cut in two',
    withText('results.jsonl', Buffer.from([...Buffer.from(line), 0xf0, 0x9f])),
  );
  add(invalid, 'encoding', 'a byte order mark', withText('manifest.json', `\ufeff${text('manifest.json')}`));
  add(invalid, 'encoding', 'a byte order mark before the JSON', () => Buffer.from(`\ufeff${JSON.stringify(capture)}`));
  // JSON.
  add(invalid, 'json', 'an empty manifest', withText('manifest.json', ''));
  add(invalid, 'json', 'a manifest that is cut', withText('manifest.json', text('manifest.json').slice(0, -1)));
  add(invalid, 'json', 'a manifest with a tail', withText('manifest.json', `${text('manifest.json')}{}`));
  add(invalid, 'json', 'a comment in JSON', withText('manifest.json', `/* hi */${text('manifest.json')}`));
  add(
    invalid,
    'json',
    'a blank line between results',
    withText('results.jsonl', text('results.jsonl').replace('\n', '\n\n')),
  );
  add(invalid, 'json', 'two results on one line', withText('results.jsonl', text('results.jsonl').replace('\n', ' ')));
  add(invalid, 'json', 'a result that is cut', withText('results.jsonl', text('results.jsonl').slice(0, -20)));
  add(invalid, 'json', 'a raw NUL', withText('results.jsonl', text('results.jsonl').replace('Answer', 'Ans\0wer')));
  add(invalid, 'json', 'a JSON capture that is cut', () => Buffer.from(JSON.stringify(capture).slice(0, -5)));
  add(unsafe, 'depth', 'a million brackets in the manifest', withText('manifest.json', '['.repeat(1_000_000)));
  add(unsafe, 'depth', 'a million objects in a result', withText('results.jsonl', '{"a":'.repeat(800_000)));
  add(
    unsafe,
    'depth',
    'a field that is nested 40 deep',
    withText('manifest.json', `{"x":${'['.repeat(40)}${']'.repeat(40)}}`),
  );
  add(unsafe, 'depth', 'a million brackets in the JSON', () => Buffer.from(`{"manifest":${'['.repeat(1_000_000)}`));
  add(
    unsafe,
    'duplicate_key',
    'a key twice',
    withText('manifest.json', text('manifest.json').replace('{', '{"format":"x",')),
  );
  add(
    unsafe,
    'duplicate_key',
    'the token twice',
    withText('browser_harness.json', text('browser_harness.json').replace('{', '{"dataset_token":"x",')),
  );
  add(
    unsafe,
    'duplicate_key',
    'a response twice, once escaped',
    withText('results.jsonl', text('results.jsonl').replace('{', '{"\\u0072esponse":"x",')),
  );
  add(
    unsafe,
    'unsafe_key',
    '__proto__',
    withText('manifest.json', text('manifest.json').replace('{', '{"__proto__":{"a":1},')),
  );
  add(
    unsafe,
    'unsafe_key',
    'NUL in a key',
    withText('manifest.json', text('manifest.json').replace('{', '{"a\\u0000":1,')),
  );
  // Lines.
  add(
    unsafe,
    'line_too_long',
    'a line of 5 million characters',
    withText('results.jsonl', `${' '.repeat(5_000_000)}{}`),
  );
  add(unsafe, 'too_many_lines', '50,001 lines', withText('results.jsonl', '1\n'.repeat(50_001)));
  add(unsafe, 'too_many_lines', '50,001 results in JSON', () =>
    Buffer.from(JSON.stringify({ ...capture, results: new Array(50_001).fill(1) })),
  );
  // Lies and wrong kinds.
  add(invalid, 'format', 'another format', manifest({ format: 'eval752.browser_harness.v2' }));
  add(invalid, 'format', 'a format of 100 kB', manifest({ format: 'x'.repeat(100_000) }));
  add(invalid, 'schema', 'no format', manifest({ format: undefined }));
  add(invalid, 'count_mismatch', 'more results than announced', manifest({ item_count: 2 }));
  add(invalid, 'count_mismatch', 'fewer results than announced', manifest({ item_count: 1e9 }));
  add(invalid, 'count_mismatch', 'errors that are not there', manifest({ error_count: 1 }));
  add(invalid, 'schema', 'a count that is negative', manifest({ item_count: -1 }));
  add(invalid, 'schema', 'a count that is no integer', manifest({ item_count: 1.5 }));
  add(invalid, 'schema', 'a manifest that is a list', withText('manifest.json', '[]'));
  add(invalid, 'schema', 'a manifest that is null', withText('manifest.json', 'null'));
  add(invalid, 'schema', 'a target that is a text', harness({ target: 'chatgpt' }));
  add(invalid, 'schema', 'no target', harness({ target: undefined }));
  add(invalid, 'schema', 'a session without an end', harness({ session: { started_at: '2026-03-01T12:00:00Z' } }));
  add(invalid, 'schema', 'a judge that is a text', harness({ judge: 'me' }));
  add(invalid, 'schema', 'a label of a megabyte', harness({ label: 'x'.repeat(1_000_000) }));
  add(invalid, 'schema', 'a result that is a number', withText('results.jsonl', '7\n'));
  add(invalid, 'schema', 'a response that is a list', first({ response: ['x'] }));
  add(invalid, 'schema', 'a response of two megabytes', first({ response: 'x'.repeat(2_000_000) }));
  add(invalid, 'schema', 'no id', first({ dataset_item_id: '' }));
  add(invalid, 'schema', 'an id of 10 kB', first({ dataset_item_id: 'x'.repeat(10_000) }));
  add(invalid, 'schema', 'an error without a code', first({ error: { message: 'x' } }));
  add(invalid, 'schema', 'a code that is a script', first({ error: { code: '<script>', message: 'x' } }));
  add(invalid, 'schema', 'no error field', first({ error: undefined }));
  add(
    invalid,
    'schema',
    'a time that is none',
    first({ timing: { started_at: 'yesterday', finished_at: 'today', latency_ms: 1 } }),
  );
  add(
    invalid,
    'schema',
    'the year 0',
    first({ timing: { started_at: '0000-01-01T00:00:00Z', finished_at: '2026-01-01T00:00:00Z', latency_ms: 1 } }),
  );
  add(invalid, 'schema', 'a negative latency', first({ timing: { ...capture.results[0]?.timing, latency_ms: -1 } }));
  add(invalid, 'schema', 'a latency of 1e308', first({ timing: { ...capture.results[0]?.timing, latency_ms: 1e308 } }));
  add(invalid, 'schema', 'JSON without results', () => Buffer.from(JSON.stringify({ ...capture, results: undefined })));
  add(invalid, 'schema', 'JSON with results that are no list', () =>
    Buffer.from(JSON.stringify({ ...capture, results: {} })),
  );
  return cases;
}
