import { describe, expect, test } from 'vitest';
import { parseTask } from '../tasks/task.ts';

function problemsOf(rule: Record<string, unknown>): string[] {
  const task = { id: 'a', title: 'a', startUrl: 'about:blank', goal: 'a', success: { kind: 'no_dialog' } };
  const parsed = parseTask({ ...task, graders: [{ grader: 'network', expect: [rule] }] });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('a rule about requests', () => {
  test('may say everything that a row of WebArena-Verified says', () => {
    const rule = {
      url: ['http://shop.test/orders?page=1', '^http://shop\\.test/orders/\\d+$'],
      method: 'POST',
      status: 'none',
      query: { from: ['02/1/2023'], sort: 'name' },
      queryFormats: { from: 'date' },
      body: { name: { anyOf: ['a', 'b'] }, '$.issue.ids': [2264], '$.^file_(path|name)$': 'LICENSE', qty: null },
      bodyFormats: { price: 'currency' },
      response: { count: 1 },
      headers: { referer: ['http://shop.test/a', 'http://shop.test/b'] },
      cookies: { messages: '^.*(?=.*white)(?=.*desk).*$' },
      lastEventOnly: false,
      ignoredQuery: ['page'],
      ignoredQueryPatterns: ['\\_', '^(?!price$).+$'],
      ignoredBodyPatterns: ['^form_key$'],
      decodeBase64Query: true,
    };
    expect(problemsOf(rule)).toEqual([]);
    expect(problemsOf({ url: '/contact', method: 'POST', shouldNotExist: true })).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'a pattern that cannot be used',
      { url: '^/a(?=b)/c$' },
      /expect\.0\.url: "url" is a pattern that cannot be used: lookaround/,
    ],
    ['such a pattern deep in a value', { url: '/a', body: { list: [{ a: '^(b$' }] } }, /expect\.0\.body\.list: /],
    ['a pattern of an ignored name', { url: '/a', ignoredQueryPatterns: ['('] }, /ignoredQueryPatterns\.0: /],
    ['a status that there is not', { url: '/a', status: -1 }, /expect\.0\.status: /],
    [
      'what cannot count',
      { url: '/a', shouldNotExist: true, body: {} },
      /body: "body" has no effect beside "shouldNot/,
    ],
  ])('%s is refused with a sentence', (_, rule, expected) => {
    const problems = problemsOf(rule);
    expect(problems.join('\n')).toMatch(expected);
  });
});
