import { expect, test } from 'vitest';
import { toolSet } from './tool-set.ts';

const schema = {
  type: 'object',
  properties: { url: { type: 'string' }, times: { type: 'integer' } },
  required: ['url'],
  additionalProperties: false,
};

test('names that no provider would accept are replaced, and lead back to the tool', async () => {
  const tools = ['page.read', 'page/read', 'x'.repeat(80)].map((name) => ({ name, inputSchema: {} }));
  const { set, nameOf } = await toolSet(tools);
  expect(Object.keys(set)).toEqual(['page_read', 'page_read_2', 'x'.repeat(64)]);
  expect(Object.keys(set).map(nameOf)).toEqual(tools.map(({ name }) => name));
  expect(nameOf('other')).toBeUndefined();
});

test.each<[string, unknown, boolean]>([
  ['right arguments', { url: 'a', times: 1 }, true],
  ['a missing one', { times: 1 }, false],
  ['a wrong type', { url: 1 }, false],
  ['an unknown one', { url: 'a', other: 1 }, false],
])('%s', async (_, input, ok) => {
  const { set } = await toolSet([{ name: 'go', inputSchema: schema }]);
  const given = set['go']?.inputSchema as unknown as {
    validate(value: unknown): { success: boolean; value?: unknown };
  };
  expect(given.validate(input)).toMatchObject(ok ? { success: true, value: input } : { success: false });
});

test('a schema that can’t be read here is left to the server', async () => {
  const { set } = await toolSet([{ name: 'go', inputSchema: { type: 'object', $ref: '#/nowhere' } }]);
  const given = set['go']?.inputSchema as unknown as { validate(value: unknown): unknown };
  expect(given.validate({ a: 1 })).toEqual({ success: true, value: { a: 1 } });
});
