/** Lists as files: CSV or JSON, sent page by page, so that a long list takes no more memory than a short one. */
import { z } from '@hono/zod-openapi';
import { csvLine } from '../../view/index.ts';
import type { Column } from './run-csv.ts';

export const fileResponse = <T extends z.ZodType>(description: string, schema: T) => ({
  description,
  content: { 'application/json': { schema }, 'text/csv': { schema: z.string() } },
});

/** The name holds no text from outside: a header takes none. */
export const headersOf = (name: string, wanted: 'json' | 'csv') => ({
  'content-type': wanted === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
  'content-disposition': `attachment; filename="${name}.${wanted}"`,
});

export async function* csvOf<Row>(columns: readonly Column<Row>[], rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for await (const row of rows) yield csvLine(columns.map(([, value]) => value(row)));
}

/** One object; lists are written as they come. */
export async function* jsonOf(
  fields: Readonly<Record<string, object | AsyncIterable<unknown>>>,
): AsyncGenerator<string> {
  let comma = '{';
  for (const [name, value] of Object.entries(fields)) {
    yield `${comma}${JSON.stringify(name)}:`;
    comma = ',';
    if (!(Symbol.asyncIterator in value)) {
      yield JSON.stringify(value);
      continue;
    }
    let before = '[';
    for await (const one of value) {
      yield `${before}${JSON.stringify(one)}`;
      before = ',\n';
    }
    yield before === '[' ? '[]' : ']';
  }
  yield '}\n';
}

/** Read as fast as the reader takes it; the source is closed when the reader has gone. */
export function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
