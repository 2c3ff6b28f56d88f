import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { documentedEvents, testFolder } from '../../../test/journal/documented-events.ts';
import type { JournalEvent } from '../../events/index.ts';
import { FolderRunStore } from '../folder/folder-run-store.ts';
import { sendOtlp } from './export-otlp.ts';

const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
]);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value }))
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, { error: 'a key stands once' });
const nanos = z.string().regex(/^[1-9]\d{18}$/);
/** `ExportTraceServiceRequest` of opentelemetry-proto, in its JSON mapping: ids in hexadecimal, 64-bit integers as strings. */
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(
            z
              .strictObject({
                traceId: z.string().regex(/^(?!0+$)[0-9a-f]{32}$/),
                spanId: z.string().regex(/^(?!0+$)[0-9a-f]{16}$/),
                parentSpanId: z
                  .string()
                  .regex(/^[0-9a-f]{16}$/)
                  .optional(),
                name: z.string().min(1),
                kind: z.int().min(1).max(5),
                startTimeUnixNano: nanos,
                endTimeUnixNano: nanos,
                attributes,
                events: z
                  .array(z.strictObject({ timeUnixNano: nanos, name: z.string().min(1), attributes }))
                  .optional(),
                status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
              })
              .refine((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), {
                error: 'a span ends after it began',
              }),
          ),
        }),
      ),
    }),
  ),
});

/** A collector that takes what holds to the schema, and answers as it is told. */
async function startReceiver(reply: { status: number; body: string } = { status: 200, body: '{"partialSuccess":{}}' }) {
  const received: {
    body: z.infer<typeof requestSchema>;
    headers: Record<string, unknown>;
    path: string | undefined;
  }[] = [];
  const problems: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      const { data, error } = requestSchema.safeParse(JSON.parse(text));
      if (data) received.push({ body: data, headers: request.headers, path: request.url });
      else problems.push(z.prettifyError(error));
      response.writeHead(data ? reply.status : 400, { 'content-type': 'application/json' }).end(reply.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    problems,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** So many attempts of the reference page's episode. */
async function runIn(root: string, count: number): Promise<void> {
  const cells = Array.from({ length: count }, (_, index) => ({ caseId: `case-${index + 1}`, trial: 1 }));
  const attempts = cells.map((cell) => ({
    attempt: { runId: 'run-1', ...cell, attempt: 1 },
    events: documentedEvents.map(
      (event): JournalEvent => (event.type === 'start' ? { ...event, runId: 'run-1', taskId: cell.caseId } : event),
    ),
  }));
  await new FolderRunStore(root).addFinished(
    {
      runId: 'run-1',
      suite: { name: 'test', hash: 'test' },
      variant: { kind: 'agent', agent: { kind: 'scripted' }, server: { name: 'embedded' } },
      trials: 1,
      cells,
      inputs: { hash: 'test', of: {} },
      createdAt: 0,
    },
    attempts,
  );
}

const options = { content: true, headers: { 'x-key': 'k' }, version: '1', signal: new AbortController().signal };

test('a collector gets every span once, in requests that hold to the protocol; sent again, they have the same ids', async () => {
  using folder = testFolder();
  await using receiver = await startReceiver();
  await runIn(folder('run'), 60);
  const { spans, attempts, to } = await sendOtlp(folder('run'), receiver.url, options);
  expect(receiver.problems).toEqual([]);
  expect({ attempts, to }).toEqual({ attempts: 60, to: `${receiver.url}/v1/traces` });
  expect(receiver.received.length).toBeGreaterThan(1);
  expect(receiver.received[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'content-type': 'application/json', 'x-key': 'k' },
  });
  const ids = () =>
    receiver.received.flatMap(({ body }) =>
      body.resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans.map(({ spanId }) => spanId)),
      ),
    );
  const first = ids();
  expect(first).toHaveLength(spans ?? 0);
  expect(new Set(first).size).toBe(first.length);
  receiver.received.length = 0;
  await sendOtlp(folder('run'), `${receiver.url}/v1/traces`, options);
  expect(ids()).toEqual(first);
});

test.each([
  ['an error', { status: 503, body: 'busy' }, 'it answered 503: busy'],
  [
    'that it did not take all',
    { status: 200, body: '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}' },
    'it rejected 3 spans: too old',
  ],
])('a collector that answers %s is an error', async (_, reply, why) => {
  using folder = testFolder();
  await using receiver = await startReceiver(reply);
  await runIn(folder('run'), 1);
  await expect(sendOtlp(folder('run'), receiver.url, options)).rejects.toMatchObject({
    code: 'export_not_sent',
    message: `The spans could not be sent to ${receiver.url}/v1/traces: ${why}.`,
  });
});

test('nobody there, or an address that is none, is said in a sentence', async () => {
  using folder = testFolder();
  await runIn(folder('run'), 1);
  await expect(sendOtlp(folder('run'), 'http://127.0.0.1:1', options)).rejects.toMatchObject({
    code: 'export_not_sent',
  });
  await expect(sendOtlp(folder('run'), 'file:///etc/passwd', options)).rejects.toMatchObject({
    code: 'usage_bad_value',
    message: '--endpoint takes the address of a collector, but got "file:///etc/passwd".',
  });
});
