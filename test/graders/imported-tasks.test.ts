/** Rows of other benchmarks from the file to the verdict: imported, run in a real browser, and decided by answer, page and requests. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunReport } from '../../src/runs/index.ts';
import { temporaryFolder, waymark } from '../cli/command-line.ts';
import { openShop, type SmallShop } from './small-shop.ts';

let shop: SmallShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const VERIFIED = {
  task_id: 1,
  sites: ['shopping'],
  start_urls: ['__SHOPPING__'],
  intent: 'Send the message.',
  eval: [
    { evaluator: 'AgentResponseEvaluator', expected: { task_type: 'mutate', status: 'SUCCESS', retrieved_data: null } },
    {
      evaluator: 'NetworkEventEvaluator',
      expected: {
        url: '__SHOPPING__/contact',
        http_method: 'POST',
        post_data: { 'message[text]': 'I want a refund' },
        response_status: 302,
      },
    },
  ],
};
const WEBARENA = {
  task_id: 1,
  sites: ['shopping'],
  start_url: '__SHOPPING__',
  intent: 'Send the message, and say the word on the button.',
  eval: {
    eval_types: ['string_match', 'url_match'],
    reference_answers: { must_include: ['Send'] },
    reference_url: '__SHOPPING__/thanks?from=contact',
    url_note: 'GOLD in PRED',
  },
};

const agent = (code: string, answer: string) => `export default {
  kind: 'answers',
  async run(session) {
    await session.step({ tool: 'javascript_tool', arguments: { code: ${JSON.stringify(code)} } });
    await session.step({ tool: 'read_page', arguments: {} });
    return { answer: ${JSON.stringify(answer)} };
  },
};
`;
const SEND = "document.querySelector('#send').click()";

async function outcomes(format: string, row: unknown, agents: Record<string, string>) {
  using folder = temporaryFolder();
  const file = (name: string, content: string): string => {
    writeFileSync(path.join(folder.path, name), content);
    return name;
  };
  const rows = file('rows.json', JSON.stringify([row]));
  const site = `SHOPPING=${shop.origin}`;
  const args = ['import', rows, '--format', format, '--site', site, '--out', 'tasks'];
  expect(await waymark(args, folder.path)).toMatchObject({ code: 0, err: '' });
  const found: Record<string, unknown> = {};
  for (const [name, code] of Object.entries(agents)) {
    const inFolder = (one: string): string => path.join(folder.path, one);
    const ran = ['run', inFolder('tasks'), '--agent', inFolder(file(`${name}.mjs`, code)), '--out', inFolder(name)];
    await waymark(ran, folder.path);
    const report = JSON.parse(readFileSync(path.join(folder.path, name, 'report.json'), 'utf8')) as RunReport;
    const [episode] = report.episodes;
    found[name] = [episode?.outcome, ...(episode?.grades ?? []).map(({ grader, verdict }) => `${grader} ${verdict}`)];
  }
  return found;
}

test('a row of WebArena-Verified: the response and the request must both be right', async () => {
  const done = JSON.stringify({ task_type: 'MUTATE', status: 'SUCCESS', retrieved_data: null });
  const failed = JSON.stringify({ task_type: 'MUTATE', status: 'NOT_FOUND_ERROR', retrieved_data: null });
  const agents = { right: agent(SEND, done), idle: agent('1', done), modest: agent(SEND, failed) };
  expect(await outcomes('webarena-verified', VERIFIED, agents)).toEqual({
    right: ['passed', 'answer pass', 'network pass', 'all pass'],
    idle: ['failed', 'answer pass', 'network fail', 'all fail'],
    modest: ['failed', 'answer fail', 'network pass', 'all fail'],
  });
});

test('a row of WebArena: the answer and the last page must both be right', async () => {
  const agents = { right: agent(SEND, 'Send'), idle: agent('1', 'Send'), wrong: agent(SEND, 'Buy') };
  expect(await outcomes('webarena', WEBARENA, agents)).toEqual({
    right: ['passed', 'answer pass', 'all pass'],
    idle: ['failed', 'answer pass', 'all fail'],
    wrong: ['failed', 'answer fail', 'all fail'],
  });
});
