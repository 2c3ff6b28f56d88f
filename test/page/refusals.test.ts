import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookmarklet, type RuntimePack } from '../../src/capture/formats.ts';
import { type Chat, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open(2);
});
afterAll(() => stage[Symbol.asyncDispose]());

const prompts = ['What is 1 + 1?', 'What is 2 + 2?'];

async function expectNothingSent(chat: Chat): Promise<void> {
  expect([await chat.sent(), await chat.clicks()]).toEqual([[], 0]);
  expect(await chat.evaluate('document.querySelector("textarea")?.value ?? ""')).toBe('');
  expect(chat.noise()).toEqual([]);
}

describe('the runtime refuses, and sends nothing', () => {
  test.each([
    'https://elsewhere.test',
    'http://elsewhere.test/',
    'http://elsewhere.test:8080',
    'http://chat.elsewhere.test',
    'http://fixtures.waymark.test',
  ])('on another origin than %s', async (origin) => {
    await using chat = await stage.chat('custom');
    const pack = chat.pack(prompts);
    await chat.start({ ...pack, target: { ...pack.target, origin } });
    await chat.panel.says(`This pack is for ${origin}, and this page is http://elsewhere.test. Nothing was sent.`);
    await expectNothingSent(chat);
  });

  test.each(['2020-01-01T00:00:00.000Z', 'never'])('a pack that expired at %s', async (expires_at) => {
    await using chat = await stage.chat('custom');
    await chat.start(chat.pack(prompts, { expires_at }));
    await chat.panel.says(`This pack expired at ${expires_at}.`);
    await expectNothingSent(chat);
  });

  const role: [name: keyof RuntimePack['selectors'], list: string[], words: string][] = [
    ['composer', ['.nowhere'], 'The composer’s selectors match nothing that can be written to.'],
    ['composer', ['.model-name'], 'The composer’s selectors match nothing that can be written to.'],
    ['send', ['.nowhere'], 'The send button’s selectors match nothing.'],
    ['new_chat', ['.nowhere'], 'The selectors for “new chat” match nothing.'],
    ['busy', ['.typing', 'div['], 'busy: “div[” is not a valid CSS selector.'],
  ];
  test.each(role)('%s selectors %j', async (name, list, words) => {
    await using chat = await stage.chat('custom');
    const pack = chat.pack(prompts);
    await chat.start({ ...pack, selectors: { ...pack.selectors, [name]: list } });
    await chat.panel.says(words);
    await expectNothingSent(chat);
  });

  test('a page that asks to sign in', async () => {
    await using chat = await stage.chat('custom');
    await chat.evaluate(`(() => {
      const dialog = document.createElement('div');
      dialog.setAttribute('role', 'dialog');
      dialog.textContent = 'Sign in to continue';
      document.body.append(dialog);
    })()`);
    await chat.start(chat.pack(prompts));
    await chat.panel.says('The page says: “Sign in to continue”');
    await expectNothingSent(chat);
  });

  test('something that is not a pack', async () => {
    await using chat = await stage.chat('custom');
    await chat.start({ ...chat.pack(prompts), items: [{ id: 'i1', prompt_text: 7 as unknown as string }] });
    await chat.panel.says('This is not a Browser Harness pack');
    await expectNothingSent(chat);
  });

  test('in a frame', async () => {
    await using chat = await stage.chat('custom');
    const address = bookmarklet(chat.pack(prompts), stage.runtime);
    await chat.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.src = location.href;
      frame.onload = resolve;
      document.body.append(frame);
    })`);
    await chat.evaluate(`void (frames[0].location.href = ${JSON.stringify(address)})`);
    await chat.panel.says('This is a frame inside another page.');
    expect(await chat.evaluate('frames[0].chatFixture.clicks + chatFixture.clicks')).toBe(0);
  });
});

test('a second copy is refused while the first one runs, and accepted afterwards', async () => {
  await using chat = await stage.chat('custom');
  const pack = chat.pack(prompts);
  await chat.start(pack);
  await chat.start(pack);
  await chat.panel.says('A run is going on in this page already.');
  expect((await chat.finished()).results).toHaveLength(2);
  expect(await chat.sent()).toEqual(prompts);

  await chat.panel.click('Close');
  await chat.start(pack);
  await chat.panel.says('Browser Harness · Custom');
  await chat.finished();
  await chat.saved(2);
  expect(await chat.sent()).toEqual([...prompts, ...prompts]);
});
