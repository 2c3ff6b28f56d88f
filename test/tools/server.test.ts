import { expect, test } from 'vitest';
import { inline, useHouse } from './embedded.ts';

const house = useHouse();

test('tools/list names every tool, with a strict schema and whether it only looks', async () => {
  await using desk = await house.open();
  const { tools } = await desk.client.listTools();
  const looking = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
  expect(tools.map(({ name }) => name)).toEqual(
    'navigate read_page find interact form_input click_at hover_at type_at drag_at wait_for javascript_tool tabs_context tabs_create tabs_close page_screenshot handle_dialog oc_progress_status'.split(
      ' ',
    ),
  );
  expect(looking).toEqual(['read_page', 'find', 'wait_for', 'tabs_context', 'page_screenshot', 'oc_progress_status']);
  for (const { name, inputSchema, description } of tools) {
    expect([name, inputSchema.type, inputSchema['additionalProperties']]).toEqual([name, 'object', false]);
    expect(description?.length).toBeGreaterThan(10);
  }
  const interact = tools.find(({ name }) => name === 'interact');
  expect(interact?.inputSchema.required).toEqual(['action']);
});

test('wrong arguments are told in sentences', async () => {
  await using desk = await house.open();
  const said = await desk.call('find', { querry: 'x', limit: 0 });
  expect(said.kind).toBe('bad_argument');
  expect(said.text).toContain('There is no argument "querry"; there are query, limit, tabId, timeoutMs.');
  expect(said.text).toContain('"query": ');
  expect(said.text).toContain('"limit": ');
  expect((await desk.call('interact', { action: 'type', selector: '#x' })).text).toContain('type needs value');
  expect((await desk.call('no_such_tool')).kind).toBe('unknown_tool');
});

test('the witness is told which tab is acted on, and saw what was done', async () => {
  await using desk = await house.open();
  await desk.goto('/form');
  const first = desk.slot.witness.page?.targetId;
  await desk.ok('tabs_create');
  expect(desk.slot.witness.page?.targetId).not.toBe(first);
  await desk.ok('read_page', { tabId: first });
  expect(desk.slot.witness.page?.targetId).toBe(first);
  expect((await desk.slot.witness.observe()).url).toBe('http://fixtures.waymark.test/form');
});

test('javascript_tool returns values, awaits, and tells errors', async () => {
  await using desk = await house.open();
  await desk.goto('/small');
  expect(await desk.ok('javascript_tool', { code: '1 + 1' })).toBe('2');
  expect(await desk.ok('javascript_tool', { code: 'return { title: document.title, n: [1, 2] }' })).toBe(
    '{"title":"Small page","n":[1,2]}',
  );
  expect(await desk.ok('javascript_tool', { code: 'const a = await Promise.resolve("x"); a + 1' })).toBe('"x1"');
  expect(await desk.ok('javascript_tool', { code: 'document.body' })).toContain('body');
  expect(await desk.ok('javascript_tool', { code: 'undefined' })).toBe('undefined');
  const said = await desk.call('javascript_tool', { code: 'nothing.at.all' });
  expect([said.kind, said.text]).toEqual([
    'script_error',
    'The code failed: ReferenceError: nothing is not defined. Correct the code and call again.',
  ]);
  expect(await desk.ok('javascript_tool', { code: `location.href = '/list'` })).toContain(
    'The page is now http://fixtures.waymark.test/list.',
  );
});

test('page_screenshot gives a picture of what is shown, or of the whole page', async () => {
  await using desk = await house.open();
  await desk.goto('/scroll');
  const shot = await desk.call('page_screenshot', { format: 'png' });
  expect(shot.image?.mimeType).toBe('image/png');
  expect(sizeOf(shot.image?.data ?? '')).toEqual([1280, 720]);
  const whole = await desk.call('page_screenshot', { format: 'png', fullPage: true });
  expect(sizeOf(whole.image?.data ?? '')[1]).toBeGreaterThan(4_000);
  expect((await desk.call('page_screenshot')).image?.mimeType).toBe('image/jpeg');
});

function sizeOf(png: string): [number, number] {
  const bytes = Buffer.from(png, 'base64');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('progress: reading on is progress, the same again is not, and a change makes it good', async () => {
  await using desk = await house.open();
  const status = async (): Promise<string> =>
    (JSON.parse(await desk.ok('oc_progress_status')) as { status: string }).status;
  await desk.goto('/nodes?n=600');
  for (let offset = 0; offset < 200; offset += 20) await desk.ok('read_page', { offset });
  expect(await status()).toBe('progressing');
  for (let i = 0; i < 3; i++) await desk.ok('read_page', { offset: 0 });
  expect(await status()).toBe('stalling');
  for (let i = 0; i < 4; i++) await desk.ok('find', { query: 'filter' });
  expect(await status()).toBe('stalling');
  await desk.ok('form_input', { selector: '#filter', value: 'tent' });
  expect(await status()).toBe('progressing');
  for (let i = 0; i < 3; i++) await desk.call('interact', { action: 'click', selector: '#none', timeoutMs: 1 });
  expect(await status()).toBe('stuck');
  await desk.ok('interact', { action: 'click', selector: '#bump' });
  expect(await status()).toBe('progressing');
});

test('progress: a clock on the page is no progress', async () => {
  await using desk = await house.open();
  const judge = async (): Promise<string> => desk.ok('oc_progress_status');
  await desk.goto('/clock');
  for (let i = 0; i < 9; i++) {
    await desk.ok('read_page');
    await desk.ok('wait_for', { ms: 60 });
  }
  expect(await judge()).toContain('"status":"stuck"');
  await desk.ok('interact', { action: 'click', selector: '#act' });
  expect(await judge()).toContain('"status":"progressing"');
});

test('a host that looks after every call anyway spares the server its own look', async () => {
  let looks = 0;
  await using plain = await house.open();
  await plain.goto(inline('<p>x'));
  const { witness } = plain.slot;
  const observe = witness.observe.bind(witness);
  witness.observe = (request) => {
    looks++;
    return observe(request);
  };
  await plain.ok('read_page');
  expect(looks).toBe(1);
  await using hosted = await house.open({ latest: () => undefined });
  hosted.slot.witness.observe = (request) => {
    looks++;
    return observe(request);
  };
  await hosted.goto(inline('<p>x'));
  expect(await hosted.ok('oc_progress_status')).toContain('progressing');
  expect(looks).toBe(1);
});
