/**
 * Sample rows of WebArena and WebArena-Verified become tasks, and their graders give the verdict of the row's own rules: for one right and
 * one wrong answer, page or log of requests each. What can't be stated is named with its reason.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ImportedRow, importVerifiedRow, importVisualRow, importWebarenaRow } from '../cases/importing.ts';
import { canonicalHash, type EpisodeTaskSpec, parseTask } from '../cases/index.ts';
import { evaluate, type Facts, recordedWitness } from '../contracts/index.ts';
import type { JournalEvent } from '../events/index.ts';
import { gradeAttempt } from './grade-attempt.ts';
import { makeGrader } from './make-grader.ts';

const SITES = {
  SHOPPING: 'http://shop.test:7770',
  SHOPPING_ADMIN: 'http://shop.test:7780/admin',
  REDDIT: 'http://forum.test:9999',
  GITLAB: 'http://git.test:8023',
  MAP: 'http://map.test:3000',
  WIKIPEDIA: 'http://wiki.test:8888',
};

function rowsOf(file: string): { task_id: number }[] {
  return JSON.parse(readFileSync(new URL(`../../test/graders/benchmarks/${file}`, import.meta.url), 'utf8'));
}

function taskOf(row: ImportedRow): EpisodeTaskSpec {
  if (row.result !== 'task') throw new Error(row.reason);
  const parsed = parseTask(row.task);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.task;
}

interface Sent {
  method?: string;
  url: string;
  status?: number;
  failed?: string;
  navigation?: true;
  headers?: Record<string, string>;
  body?: { mediaType: string; text: string };
  response?: { mediaType: string; text: string };
}

/** The verdict of the grader that decides, on a journal with these requests. */
async function verdictOf(task: EpisodeTaskSpec, answer: string, sent: readonly Sent[] = []): Promise<string> {
  const spec = task.graders?.find(
    (one) => ('name' in one ? one.name : undefined) === undefined && one.grader === task.decidedBy,
  );
  if (!spec) throw new Error(`There is no grader ${task.decidedBy}.`);
  const rules = (task.graders ?? []).flatMap((one) => (one.grader === 'network' ? one.expect : []));
  const requests = sent.map((one, index) => ({
    type: 'request',
    seq: index,
    time: index,
    number: index + 1,
    at: index,
    method: 'GET',
    ...(one.failed === undefined ? { status: 200 } : {}),
    ...one,
  }));
  const counts = { seen: sent.length, recorded: sent.length };
  const events = [
    ...requests,
    { type: 'requests', seq: 98, time: 98, rules: rules.map((rule) => canonicalHash(rule)), ...counts },
    { type: 'stop', seq: 99, time: 99, status: 'failed', reason: 'The agent ended.' },
  ] as JournalEvent[];
  const grade = await gradeAttempt(
    await makeGrader(spec, { folder: '.' }),
    {
      ref: { runId: 'r', caseId: task.id, trial: 1, attempt: 1 },
      subject: { kind: 'task', task },
      answer,
      events,
      artifact: async () => undefined,
    },
    { signal: new AbortController().signal, judge: undefined, keep: () => undefined },
  );
  return grade.verdict;
}

describe('WebArena', () => {
  const rows = new Map(rowsOf('webarena.json').map((row) => [row.task_id, importWebarenaRow(row, { sites: SITES })]));

  test('each row is a task, and a judge never decides where facts can', () => {
    const decided = [...rows].map(([id, row]) => [id, taskOf(row).decidedBy ?? 'contract']);
    expect(Object.fromEntries(decided)).toEqual({
      0: 'answer',
      3: 'answer',
      8: 'rubric',
      22: 'answer',
      44: 'contract',
      118: 'contract',
      173: 'contract',
      356: 'contract',
      431: 'contract',
    });
    expect(taskOf(rows.get(173) as ImportedRow).graders).toEqual([
      {
        grader: 'rubric',
        criteria: [
          {
            id: 'criterion-1',
            description: 'The answer means the same as this one, or says it: No, it is open',
            about: 'outcome',
            weight: 1,
            required: true,
          },
        ],
      },
    ]);
  });

  test.each([
    [0, 'Quest Lumaflex™ Band', 'quest lumaflex™ band', 'Sprite Stasis Ball 65 cm'],
    [3, 'both', 'The Quest Lumaflex™ Band and the Sprite Stasis Ball 65 cm.', 'Quest Lumaflex™ Band'],
    [22, 'not achievable', 'N/A', 'Anna and Ben'],
  ])('row %i, by the answer: %s', async (id, _, right, wrong) => {
    const task = taskOf(rows.get(id) as ImportedRow);
    expect(await verdictOf(task, right)).toBe('pass');
    expect(await verdictOf(task, wrong)).toBe('fail');
  });

  test.each<[number, Facts, Facts]>([
    [
      44,
      { url: 'http://git.test:8023/dashboard/todos?state=pending' },
      { url: 'http://git.test:8023/dashboard/issues' },
    ],
    [
      118,
      { domText: { body: 'Night Mouth Guard. For jaw bruxism and teeth grinding.' } },
      { domText: { body: 'Night Light. For jaw bruxism.' } },
    ],
    [
      356,
      {
        domValue: {
          'div#content select.routing_engines option:nth-of-type(2)': { value: 'fossgis_osrm_car', selected: true },
          '[name="route_from"]': { value: 'Gates and Hillman Centers, 4902, Forbes Avenue, Pittsburgh' },
          '[name="route_to"]': { value: 'INDEPENDENCE HALL, 520, Chestnut Street, Philadelphia' },
        },
      },
      {
        domValue: {
          'div#content select.routing_engines option:nth-of-type(2)': { value: 'fossgis_osrm_car', selected: false },
          '[name="route_from"]': { value: 'Gates and Hillman Centers, 4902, Forbes Avenue, Pittsburgh' },
          '[name="route_to"]': { value: 'Independence Hall, 520, Chestnut Street, Philadelphia' },
        },
      },
    ],
    [
      431,
      {
        pages: {
          'http://shop.test:7770/checkout/cart': { domText: { body: 'Cart: SPAAS White Taper Candles - 4 Pack' } },
        },
      },
      {
        // The page of the agent does not count.
        domText: { body: 'SPAAS White Taper Candles - 4 Pack' },
        pages: { 'http://shop.test:7770/checkout/cart': { domText: { body: 'You have no items in your cart.' } } },
      },
    ],
  ])('row %i, by the last page or a page that is opened at the end', async (id, right, wrong) => {
    const { success } = taskOf(rows.get(id) as ImportedRow);
    expect((await evaluate(success, recordedWitness(right))).verdict).toBe('pass');
    expect((await evaluate(success, recordedWitness(wrong))).verdict).toBe('fail');
  });
});

describe('rules of WebArena that the sample has not together', () => {
  const base = rowsOf('webarena.json').find(({ task_id }) => task_id === 44) as { task_id: number; eval: object };
  const imported = (change: object): ImportedRow =>
    importWebarenaRow({ ...base, eval: { ...base.eval, ...change } }, { sites: SITES });

  test.each([
    ['http://git.test:8023/x?q=a%20b&page=2', 'pass'],
    ['http://git.test:8023/x?page=2&q=a+b#top', 'pass'],
    ['http://git.test:8023/y?q=c', 'pass'],
    ['http://git.test:8023/x', 'fail'],
    ['http://git.test:8023/x?q=d', 'fail'],
    ['http://git.test:8023/?next=/x&q=c', 'fail'],
    ['http://gitxtest:8023/x?q=c', 'fail'],
  ])('alternatives and query parameters: %s is a %s', async (url, verdict) => {
    const { success } = taskOf(imported({ reference_url: '__GITLAB__/x?q=a b |OR| __GITLAB__/y?q=c' }));
    expect((await evaluate(success, recordedWitness({ url }))).verdict).toBe(verdict);
  });

  test('an answer and a page must both be right, and the page alone ends no attempt', async () => {
    const eval_types = ['string_match', 'url_match'];
    const task = taskOf(imported({ eval_types, reference_answers: { must_include: ['5'] } }));
    expect([task.decidedBy, task.graders?.map(({ grader }) => grader)]).toEqual(['all', ['answer', 'all']]);
    const url = 'http://git.test:8023/dashboard/todos';
    expect((await evaluate(task.success, recordedWitness({ url }))).verdict).toBe('inconclusive');
    expect((await evaluate(task.success, recordedWitness({ url, answer: '5' }))).verdict).toBe('pass');
  });

  test.each<[string, object, string]>([
    ['another rule', { eval_types: ['dice'] }, 'It is judged by "dice".'],
    [
      'a page without a rule',
      { eval_types: ['program_html'], program_html: [{ url: 'last', locator: '', required_contents: {} }] },
      'It names no text.',
    ],
    ['another rule for addresses', { url_note: 'EXACT' }, 'Its rule for addresses is "EXACT".'],
    ['an unknown site', { reference_url: '__FORUM__/a' }, 'It names the site FORUM, and no --site says where that is.'],
    ['no address', { reference_url: 'todos' }, 'Its reference "todos" is not an address.'],
  ])('%s is named', (_, change, reason) => {
    expect(imported(change)).toMatchObject({ result: 'not_portable', id: 'webarena-44', reason });
  });

  test('a helper in Python needs a grader that runs it', () => {
    const program_html = [{ url: 'last', locator: 'func:f()', required_contents: { exact_match: 'x' } }];
    expect(imported({ eval_types: ['program_html'], program_html })).toEqual({
      result: 'not_portable',
      id: 'webarena-44',
      needs: 'command',
      reason: 'It needs a helper in Python (func:f()).',
    });
  });

  test('an expression of the page, on a page that is opened at the end', async () => {
    const locator = "document.querySelector('.visibility-icon').getAttribute('title')";
    const rule = { url: '__GITLAB__/a/b', locator, required_contents: { must_include: ['Public |OR| Open'] } };
    const { success } = taskOf(imported({ eval_types: ['program_html'], program_html: [rule] }));
    const expression = `(() => { try { return String(${locator}); } catch { return ''; } })()`;
    const shown = (title: string) => ({ pages: { 'http://git.test:8023/a/b': { script: { [expression]: title } } } });
    const verdicts = ['It is public.', 'open', 'Private', ''].map(
      async (title) => (await evaluate(success, recordedWitness(shown(title)))).verdict,
    );
    expect(await Promise.all(verdicts)).toEqual(['pass', 'pass', 'fail', 'fail']);
  });

  test('words of VisualWebArena are whole words', async () => {
    const rule = { url: 'last', locator: '', required_contents: { must_include: ['25'], must_exclude: ['Old'] } };
    const row = { ...base, eval: { eval_types: ['program_html'], program_html: [rule] } };
    const { success } = taskOf(importVisualRow(row, { sites: SITES }));
    const texts = ['It is 25.', '$25 for it', '25.00', '1,250', 'A25', '25, golden', '25, old'];
    const verdicts = texts.map(
      async (body) => (await evaluate(success, recordedWitness({ domText: { body } }))).verdict,
    );
    expect(await Promise.all(verdicts)).toEqual(['pass', 'pass', 'fail', 'fail', 'fail', 'pass', 'fail']);
  });

  test('a row of another form is refused', () => {
    expect(importWebarenaRow({ task_id: '44' }, { sites: SITES })).toMatchObject({ result: 'invalid' });
    expect(importWebarenaRow(null, { sites: SITES })).toMatchObject({ result: 'invalid' });
    expect(importWebarenaRow({ ...base, start_url: 'javascript:alert(1)' }, { sites: SITES })).toMatchObject({
      result: 'invalid',
    });
  });
});

interface VerifiedRow {
  task_id: number;
  eval: {
    evaluator: string;
    should_not_exist?: boolean;
    expected: {
      task_type?: string;
      status?: string;
      retrieved_data?: unknown[] | null;
      url?: string | string[];
      http_method?: string;
      response_status?: number;
      query_params?: Record<string, string[]>;
      post_data?: Record<string, unknown>;
      response_content?: Record<string, unknown>;
      headers?: Record<string, string>;
    };
  }[];
}

const json = (value: unknown) => ({ mediaType: 'application/json', text: JSON.stringify(value) });
const form = (fields: Record<string, string>) => ({
  mediaType: 'application/x-www-form-urlencoded',
  text: new URLSearchParams(fields).toString(),
});

/** What stands in a row as a pattern or as a path, written out: by task, and by the number of its rule for requests. */
const WRITTEN: Readonly<Record<number, Readonly<Record<number, Partial<Sent>>>>> = {
  97: { 0: { url: `${SITES.MAP}/routed-car/route/v1/driving/-79.9,40.4;-71.1,42.3?overview=false` } },
  102: { 0: { url: `${SITES.GITLAB}/byteblaze/a11y-syntax-highlighting/-/issues/?state=opened` } },
  118: { 0: { url: `${SITES.SHOPPING}/dental-night-guard-for-bruxism.html` } },
  389: { 0: { body: json({ note: { noteable_type: 'MergeRequest', note: 'Thanks, working on reviews' } }) } },
  411: {
    0: {
      body: form({ file_name: 'LICENSE', branch_name: 'master', content: 'The MIT License (MIT)', _method: 'put' }),
    },
  },
  446: { 0: { body: json({ issue: { assignee_ids: [2264] } }) } },
  506: {
    0: { url: `${SITES.SHOPPING}/checkout/cart/add/uenc/aHR0cDov/product/22490` },
    1: {
      response: json({ items_qty: 1, items: [{ name: 'Beyond Meat Beef Beefy Crumble, 5 Pound -- 2 per case.' }] }),
    },
    2: { body: json({ billingAddress: { customerId: '27' } }) },
  },
  528: {
    0: {
      url: 'http://blocked.test/dummy_bin',
      body: form({
        form_id: 'contact-form',
        name: 'Emma Lopez',
        email: 'emma.lopez@gmail.com',
        comment: 'I need a refund. Order: #000000180. Amount: $12.99. Reason: It broke after three days of use.',
      }),
    },
  },
  547: {
    0: { body: form({ serialized_options: 'a=1&swatchtext%5Bvalue%5D%5Boption_3%5D%5B0%5D=Brown&b=2' }) },
    1: {
      url: `${SITES.SHOPPING_ADMIN}/catalog/product/save/id/1130/type/configurable/store/0/set/9/back/edit`,
      body: form({
        'product[name]': 'Phoebe Zipper Sweatshirt',
        'configurable-matrix-serialized': JSON.stringify([
          { newProduct: 1, attributes: 'Size: S, Color: Brown' },
          { newProduct: 0, attributes: 'Size: M, Color: Blue' },
        ]),
      }),
    },
  },
};

function filled(text: string): string {
  return text.replace(/__([A-Z_]+?)__/g, (_, name: string) => SITES[name as keyof typeof SITES]);
}

/** A log in which each rule of the row holds, made from the row and not from our rules. */
function rightRequests({ task_id, eval: rules }: VerifiedRow): Sent[] {
  return rules
    .filter(({ evaluator, should_not_exist }) => evaluator === 'NetworkEventEvaluator' && !should_not_exist)
    .map(({ expected }, index): Sent => {
      const { url = '', http_method = 'GET', response_status = 200, query_params = {}, post_data } = expected;
      const address = new URL(
        filled(WRITTEN[task_id]?.[index]?.url ?? (typeof url === 'string' ? url : (url[0] ?? ''))),
      );
      for (const [name, values] of Object.entries(query_params))
        for (const value of values) address.searchParams.append(name, value);
      const fields = Object.entries(post_data ?? {}).map(([key, value]): [string, string] => [key, String(value)]);
      return {
        method: http_method,
        ...(response_status < 0 ? { failed: 'net::ERR_NAME_NOT_RESOLVED' } : { status: response_status }),
        ...(http_method === 'GET' ? { navigation: true } : {}),
        ...(expected.headers
          ? {
              headers: Object.fromEntries(Object.entries(expected.headers).map(([key, value]) => [key, filled(value)])),
            }
          : {}),
        ...(post_data ? { body: form(Object.fromEntries(fields)) } : {}),
        ...(expected.response_content ? { response: json(expected.response_content) } : {}),
        ...WRITTEN[task_id]?.[index],
        url: address.href,
      };
    });
}

describe('WebArena-Verified', () => {
  const rows = rowsOf('webarena-verified.json') as VerifiedRow[];

  test.each(rows.map((row) => [row.task_id, row] as const))('row %i', async (_, row) => {
    const task = taskOf(importVerifiedRow(row, { sites: SITES }));
    const response = row.eval.find(({ evaluator }) => evaluator === 'AgentResponseEvaluator')?.expected ?? {};
    const { task_type = '', status = '', retrieved_data = null } = response;
    const said = { task_type: task_type.toUpperCase(), status, retrieved_data, error_details: null };
    const right = `Done.\n\`\`\`json\n${JSON.stringify(said, null, 2)}\n\`\`\``;
    const requests = rightRequests(row);
    expect(await verdictOf(task, right, requests)).toBe('pass');

    const otherStatus = status === 'SUCCESS' ? 'UNKNOWN_ERROR' : 'SUCCESS';
    expect(await verdictOf(task, JSON.stringify({ ...said, status: otherStatus }), requests)).toBe('fail');
    expect(await verdictOf(task, 'I have done it.', requests)).toBe('fail');
    if (task_type === 'retrieve') {
      const other = { ...said, retrieved_data: ['something else'] };
      expect(await verdictOf(task, JSON.stringify(other), requests)).toBe('fail');
    }
    for (const [index, wrong] of requests.entries()) {
      const without = requests.filter((one) => one !== wrong);
      expect(await verdictOf(task, right, without), `without request ${index}`).toBe('fail');
      const failing = requests.map((one) => (one === wrong ? { ...one, status: 500, failed: undefined } : one));
      expect(await verdictOf(task, right, failing as Sent[]), `request ${index} with status 500`).toBe('fail');
    }
  });

  test('a request that must not be made fails the row', async () => {
    const row = rows.find(({ task_id }) => task_id === 528) as VerifiedRow;
    const task = taskOf(importVerifiedRow(row, { sites: SITES }));
    const right = JSON.stringify({ task_type: 'MUTATE', status: 'SUCCESS', retrieved_data: null });
    const posted: Sent = { method: 'POST', url: `${SITES.SHOPPING}/contact/index/post/`, status: 302 };
    expect(await verdictOf(task, right, rightRequests(row))).toBe('pass');
    expect(await verdictOf(task, right, [...rightRequests(row), posted])).toBe('fail');
  });

  test('the order of data counts where the row says so', async () => {
    const row = rows.find(({ task_id }) => task_id === 74) as VerifiedRow;
    const task = taskOf(importVerifiedRow(row, { sites: SITES }));
    const [first, second, third] = row.eval[0]?.expected.retrieved_data ?? [];
    const said = (retrieved_data: unknown[]): string =>
      JSON.stringify({ task_type: 'RETRIEVE', status: 'SUCCESS', retrieved_data });
    expect(await verdictOf(task, said([first, second, third]))).toBe('pass');
    expect(await verdictOf(task, said([first, third, second]))).toBe('fail');
  });
});
