/** Archives, JSON and JSONL from untrusted sources: read strictly and within limits. */
export { invalid, unsafe } from './archive-problem.ts';
export { decodeText } from './decode-text.ts';
export { isZip } from './end-record.ts';
export { MAX_BODY_BYTES, MAX_ENTRY_BYTES, MAX_LINE, MAX_LINES } from './limits.ts';
export { linesOf } from './lines.ts';
export { matchSchema, parseEntry, parseEntryLines } from './parse-entry.ts';
export { readZip } from './read-zip.ts';
export { JsonRefusal, parseJson } from './strict-json.ts';
export { writeZip } from './write-zip.ts';
