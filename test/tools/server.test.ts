import { expect, test } from 'vitest';
import { inline, useEmbeddedServer } from './embedded.ts';

const embedded = useEmbeddedServer();

test('tools/list names every tool, with a strict schema and whether it only looks', async () => {
  await using tools = await embedded.open();
  const { tools: listed } = await tools.client.listTools();
  const looking = listed.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
  expect(listed.map(({ name }) => name)).toEqual(
    'navigate read_page find interact form_input click_at hover_at type_at drag_at wait_for javascript_tool tabs_context tabs_create tabs_close page_screenshot handle_dialog oc_progress_status'.split(
      ' ',
    ),
  );
  expect(looking).toEqual(['read_page', 'find', 'wait_for', 'tabs_context', 'page_screenshot', 'oc_progress_status']);
  for (const { name, inputSchema, description } of listed) {
    expect([name, inputSchema.type, inputSchema['additionalProperties']]).toEqual([name, 'object', false]);
    expect(description?.length).toBeGreaterThan(10);
  }
  const interact = listed.find(({ name }) => name === 'interact');
  expect(interact?.inputSchema.required).toEqual(['action']);
});

test('wrong arguments are reported in sentences', async () => {
  await using tools = await embedded.open();
  const said = await tools.call('find', { querry: 'x', limit: 0 });
  expect(said.kind).toBe('bad_argument');
  expect(said.text).toContain('There is no argument "querry"; there are query, limit, tabId, timeoutMs.');
  expect(said.text).toContain('"query": ');
  expect(said.text).toContain('"limit": ');
  expect((await tools.call('interact', { action: 'type', selector: '#x' })).text).toContain('type needs value');
  expect((await tools.call('no_such_tool')).kind).toBe('unknown_tool');
});

test('the witness knows which tab was used, and has observed the effects', async () => {
  await using tools = await embedded.open();
  await tools.goto('/form');
  const first = tools.slot.witness.page?.targetId;
  await tools.ok('tabs_create');
  expect(tools.slot.witness.page?.targetId).not.toBe(first);
  await tools.ok('read_page', { tabId: first });
  expect(tools.slot.witness.page?.targetId).toBe(first);
  expect((await tools.slot.witness.observe()).url).toBe('http://fixtures.waymark.test/form');
});

test('javascript_tool returns values, awaits, and tells errors', async () => {
  await using tools = await embedded.open();
  await tools.goto('/small');
  expect(await tools.ok('javascript_tool', { code: '1 + 1' })).toBe('2');
  expect(await tools.ok('javascript_tool', { code: 'return { title: document.title, n: [1, 2] }' })).toBe(
    '{"title":"Small page","n":[1,2]}',
  );
  expect(await tools.ok('javascript_tool', { code: 'const a = await Promise.resolve("x"); a + 1' })).toBe('"x1"');
  expect(await tools.ok('javascript_tool', { code: 'document.body' })).toContain('body');
  expect(await tools.ok('javascript_tool', { code: 'undefined' })).toBe('undefined');
  const said = await tools.call('javascript_tool', { code: 'nothing.at.all' });
  expect([said.kind, said.text]).toEqual([
    'script_error',
    'The code failed: ReferenceError: nothing is not defined. Correct the code and call again.',
  ]);
  expect(await tools.ok('javascript_tool', { code: `location.href = '/list'` })).toContain(
    'The page is now http://fixtures.waymark.test/list.',
  );
});

test('page_screenshot gives a picture of what is shown, or of the whole page', async () => {
  await using tools = await embedded.open();
  await tools.goto('/scroll');
  const shot = await tools.call('page_screenshot', { format: 'png' });
  expect(shot.image?.mimeType).toBe('image/png');
  expect(sizeOf(shot.image?.data ?? '')).toEqual([1280, 720]);
  const whole = await tools.call('page_screenshot', { format: 'png', fullPage: true });
  expect(sizeOf(whole.image?.data ?? '')[1]).toBeGreaterThan(4_000);
  expect((await tools.call('page_screenshot')).image?.mimeType).toBe('image/jpeg');
});

function sizeOf(png: string): [number, number] {
  const bytes = Buffer.from(png, 'base64');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('progress: reading on is progress, the same again is not, and a change makes it good', async () => {
  await using tools = await embedded.open();
  const status = async (): Promise<string> =>
    (JSON.parse(await tools.ok('oc_progress_status')) as { status: string }).status;
  await tools.goto('/nodes?n=600');
  for (let offset = 0; offset < 200; offset += 20) await tools.ok('read_page', { offset });
  expect(await status()).toBe('progressing');
  for (let i = 0; i < 3; i++) await tools.ok('read_page', { offset: 0 });
  expect(await status()).toBe('stalling');
  for (let i = 0; i < 4; i++) await tools.ok('find', { query: 'filter' });
  expect(await status()).toBe('stalling');
  await tools.ok('form_input', { selector: '#filter', value: 'tent' });
  expect(await status()).toBe('progressing');
  for (let i = 0; i < 3; i++) await tools.call('interact', { action: 'click', selector: '#none', timeoutMs: 1 });
  expect(await status()).toBe('stuck');
  await tools.ok('interact', { action: 'click', selector: '#bump' });
  expect(await status()).toBe('progressing');
});

test('progress: a clock on the page is no progress', async () => {
  await using tools = await embedded.open();
  const judge = async (): Promise<string> => tools.ok('oc_progress_status');
  await tools.goto('/clock');
  for (let i = 0; i < 9; i++) {
    await tools.ok('read_page');
    await tools.ok('wait_for', { ms: 60 });
  }
  expect(await judge()).toContain('"status":"stuck"');
  await tools.ok('interact', { action: 'click', selector: '#act' });
  expect(await judge()).toContain('"status":"progressing"');
});

test('progress: each result carries it, as it is after the call, and to ask for it is no call', async () => {
  await using tools = await embedded.open();
  await tools.goto(inline('<p>x'));
  const carried = async (name: string): Promise<unknown> =>
    (await tools.client.callTool({ name, arguments: {} }))._meta?.['waymark/progress'];
  expect(await carried('read_page')).toMatchObject({ status: 'progressing', quiet: 0 });
  expect(await carried('read_page')).toMatchObject({ status: 'progressing', quiet: 1 });
  expect(await carried('oc_progress_status')).toBe(undefined);
  expect(await carried('read_page')).toMatchObject({ status: 'progressing', quiet: 2 });
  expect(await carried('read_page')).toMatchObject({ status: 'stalling', quiet: 3 });
  expect(JSON.parse(await tools.ok('oc_progress_status'))).toMatchObject({ status: 'stalling', quiet: 3 });
});
