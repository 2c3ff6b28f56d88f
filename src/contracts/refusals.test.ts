import { describe, expect, test } from 'vitest';
import { parseContract } from './parse-contract.ts';

/** The problems as lines, as a user sees them. */
function problems(input: unknown): string[] {
  const parsed = parseContract(input);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

const nested = (depth: number): unknown =>
  depth === 1 ? { kind: 'no_dialog' } : { kind: 'not', child: nested(depth - 1) };

const KINDS =
  'url, dom_text, dom_value, dom_count, network, screenshot_class, no_dialog, script, image_qa, answer, performance, console, and, or, not';
const TOO_LONG = "is longer than 4096 bytes of UTF-8; a contract's strings are at most that long.";

describe('a refusal names the place, the problem and what is expected', () => {
  test.each<[string, unknown, string[]]>([
    ['null', null, ['$: An assertion must be an object with a "kind", not null.']],
    ['a list', [], ['$: An assertion must be an object with a "kind", not a list.']],
    ['a string', 'url', ['$: An assertion must be an object with a "kind", not a string.']],
    ['nothing', undefined, ['$: An assertion must be an object with a "kind", not undefined.']],
    ['no kind', {}, [`$.kind: "kind" is missing; expected one of ${KINDS}.`]],
    ['an unknown kind', { kind: 'xpath' }, [`$.kind: "kind" must be one of ${KINDS}; it is "xpath".`]],
    ['a kind of Object.prototype', { kind: 'toString' }, [`$.kind: "kind" must be one of ${KINDS}; it is "toString".`]],
    ['a kind that is a number', { kind: 7 }, [`$.kind: "kind" must be one of ${KINDS}; it is 7.`]],
    ['a missing string', { kind: 'url' }, ['$.pattern: "pattern" is missing; expected a string.']],
    [
      'a missing choice',
      { kind: 'dom_count', selector: 'a', value: 1 },
      ['$.op: "op" is missing; expected one of eq, gte, lte.'],
    ],
    [
      'a missing number',
      { kind: 'dom_count', selector: 'a', op: 'eq' },
      ['$.value: "value" is missing; expected a number.'],
    ],
    [
      'a missing version',
      { kind: 'console', op: 'eq', value: 0, max_age_ms: 1 },
      ['$.schema_version: "schema_version" is missing; expected 1.'],
    ],
    [
      'a wrong version',
      { kind: 'console', schema_version: 2, op: 'eq', value: 0, max_age_ms: 1 },
      ['$.schema_version: "schema_version" must be 1; it is 2.'],
    ],
    [
      'no comparison',
      { kind: 'dom_text', selector: 'p' },
      ['$: "dom_text" takes exactly one of contains, equals, pattern; it has none.'],
    ],
    [
      'two comparisons',
      { kind: 'dom_value', selector: 'p', checked: true, op: 'eq' },
      [
        '$: "dom_value" takes exactly one of equals, pattern, checked, selected, op with value; it has checked and op with value.',
      ],
    ],
    [
      'half a comparison, and another mistake',
      { kind: 'dom_value', selector: 'p[', op: 'eq' },
      [
        '$.selector: "selector" is not a valid selector: expected the name of an attribute at character 3, but the selector ends there.',
        '$.value: "value" is missing; op with value is one comparison.',
      ],
    ],
    [
      'a tolerance of nothing',
      { kind: 'script', expression: 'x', equals: 1, tolerance: 1, forgeable: true },
      ['$.tolerance: "tolerance" needs op with value.'],
    ],
    [
      'options of another type',
      { kind: 'dom_value', selector: 'p', selected: [5] },
      ['$.selected: "selected" must be true, false, a string or a list of strings.'],
    ],
    [
      'a script that does not say what it is',
      { kind: 'script', expression: 'x', equals: 1, forgeable: false },
      ['$.forgeable: "forgeable" must be true; it is false.'],
    ],
    [
      'a value that is too long',
      { kind: 'script', expression: 'x', equals: ['x'.repeat(5000)], forgeable: true },
      [`$.equals: "equals" ${TOO_LONG}`],
    ],
    [
      'a page of another kind',
      { kind: 'dom_count', selector: 'p', op: 'eq', value: 1, page_url: 'javascript:alert(1)' },
      ['$.page_url: "page_url" must be an http or https address, or a path that starts with "/".'],
    ],
    [
      'a class that leaves its folder',
      { kind: 'screenshot_class', class_id: '..', distance_max: 1 },
      [
        '$.class_id: "class_id" must be the name of one folder, without "/", "\\" and control characters, and not "." or "..".',
      ],
    ],
    ['a wrong type', { kind: 'url', pattern: 5 }, ['$.pattern: "pattern" must be a string, not a number.']],
    [
      'a wrong optional',
      { kind: 'dom_text', selector: null, contains: 'x' },
      ['$.selector: "selector" must be a string, not null.'],
    ],
    [
      'a wrong flag',
      { kind: 'console', schema_version: 1, uncaught: 'yes', op: 'eq', value: 0, max_age_ms: 1 },
      ['$.uncaught: "uncaught" must be true or false, not a string.'],
    ],
    [
      'an unknown comparison',
      { kind: 'dom_count', selector: 'a', op: 'lt', value: 1 },
      ['$.op: "op" must be one of eq, gte, lte; it is "lt".'],
    ],
    [
      'a broken number',
      { kind: 'dom_count', selector: 'a', op: 'eq', value: 1.5 },
      ['$.value: "value" must be a whole number, not 1.5.'],
    ],
    [
      'a negative count',
      { kind: 'dom_count', selector: 'a', op: 'eq', value: -1 },
      ['$.value: "value" must be 0 or more, not -1.'],
    ],
    [
      'a distance over 64',
      { kind: 'screenshot_class', class_id: 'c', distance_max: 65 },
      ['$.distance_max: "distance_max" must be 64 or less, not 65.'],
    ],
    [
      'an empty name',
      { kind: 'screenshot_class', class_id: '', distance_max: 1 },
      ['$.class_id: "class_id" must not be empty.'],
    ],
    [
      'a negative age',
      { kind: 'performance', schema_version: 1, metric: 'm', unit: 'ms', op: 'eq', value: 1, max_age_ms: -1 },
      ['$.max_age_ms: "max_age_ms" must be 0 or more, not -1.'],
    ],
    [
      'an unknown unit',
      { kind: 'performance', schema_version: 1, metric: 'm', unit: 's', op: 'eq', value: 1, max_age_ms: 1 },
      ['$.unit: "unit" must be one of ms, seconds, bytes, count; it is "s".'],
    ],
    [
      'an unknown marker',
      { kind: 'network', url_pattern: 'x', status_in: [200], since: 'start' },
      ['$.since: "since" must be one of contract_enter, last_tool_call; it is "start".'],
    ],
    [
      'no status',
      { kind: 'network', url_pattern: 'x', status_in: [], since: 'contract_enter' },
      ['$.status_in: "status_in" must hold at least one entry.'],
    ],
    [
      'bad statuses',
      { kind: 'network', url_pattern: 'x', status_in: [99, 600, '200', 200], since: 'contract_enter' },
      [
        '$.status_in.0: An entry of "status_in" must be 100 or more, not 99.',
        '$.status_in.1: An entry of "status_in" must be 599 or less, not 600.',
        '$.status_in.2: An entry of "status_in" must be a number or "blocked", not a string.',
      ],
    ],
    [
      'one status without a list',
      { kind: 'network', url_pattern: 'x', status_in: 200, since: 'contract_enter' },
      ['$.status_in: "status_in" must be a list, not a number.'],
    ],
    [
      'endless statuses',
      { kind: 'network', url_pattern: 'x', status_in: Array(1e6).fill(200), since: 'contract_enter' },
      ['$.status_in: "status_in" may hold 500 entries at most.'],
    ],
    [
      'an unknown field',
      { kind: 'url', pattern: 'x', flags: 'i' },
      ['$.flags: "url" has no field "flags"; its fields are pattern.'],
    ],
    [
      'an unknown field where there are none',
      { kind: 'no_dialog', wait: 1 },
      ['$.wait: "no_dialog" has no field "wait"; it has none but "kind".'],
    ],
    [
      'an unknown field with an odd name',
      { kind: 'url', pattern: 'x', 'a b': 1 },
      ['$["a b"]: "url" has no field "a b"; its fields are pattern.'],
    ],
    [
      'a field called __proto__',
      JSON.parse('{"kind":"no_dialog","__proto__":{"kind":"url"}}'),
      ['$.__proto__: "no_dialog" has no field "__proto__"; it has none but "kind".'],
    ],
    ['no children', { kind: 'and', children: [] }, ['$.children: "children" must hold at least one entry.']],
    ['missing children', { kind: 'or' }, ['$.children: "children" is missing; expected a list.']],
    [
      'children that are not a list',
      { kind: 'or', children: {} },
      ['$.children: "children" must be a list, not an object.'],
    ],
    ['a missing child', { kind: 'not' }, ['$.child: "child" is missing; expected an assertion.']],
    [
      'children on not',
      { kind: 'not', children: [{ kind: 'no_dialog' }] },
      [
        '$.child: "child" is missing; expected an assertion.',
        '$.children: "not" takes one "child", not a list of "children".',
      ],
    ],
    [
      'child on and',
      { kind: 'and', children: [{ kind: 'no_dialog' }], child: { kind: 'no_dialog' } },
      ['$.child: "and" takes a list of "children", not one "child".'],
    ],
    ['a long string', { kind: 'dom_text', contains: 'x'.repeat(4097) }, [`$.contains: "contains" ${TOO_LONG}`]],
    [
      'a string long in bytes',
      { kind: 'dom_text', contains: '€'.repeat(1366) },
      [`$.contains: "contains" ${TOO_LONG}`],
    ],
    [
      'half a surrogate pair',
      { kind: 'dom_text', contains: 'a\ud800' },
      ['$.contains: "contains" holds half of a surrogate pair, which is not a character.'],
    ],
    [
      'a bad selector',
      { kind: 'dom_count', selector: 'div[', op: 'eq', value: 1 },
      [
        '$.selector: "selector" is not a valid selector: expected the name of an attribute at character 5, but the selector ends there.',
      ],
    ],
    [
      'an empty selector',
      { kind: 'dom_count', selector: '', op: 'eq', value: 1 },
      [
        '$.selector: "selector" is not a valid selector: expected a selector at character 1, but the selector ends there.',
      ],
    ],
    [
      'a bad pattern',
      { kind: 'url', pattern: '(a' },
      ['$.pattern: "pattern" cannot be used: missing closing ) at (a.'],
    ],
    [
      'lookaround',
      { kind: 'url', pattern: 'a(?!b)' },
      [
        '$.pattern: "pattern" cannot be used: lookaround, here (?!, cannot be matched in linear time; say it with "and", "or" and "not" of plain patterns.',
      ],
    ],
    [
      'a backreference',
      { kind: 'image_qa', question: 'q', expected_pattern: '(a)\\1' },
      [
        '$.expected_pattern: "expected_pattern" cannot be used: a backreference, here \\1, cannot be matched in linear time; write out what it should repeat.',
      ],
    ],
    [
      'depth 9',
      nested(9),
      [
        '$.child.child.child.child.child.child.child.child: Assertions may nest 8 deep at most; this one is at depth 9.',
      ],
    ],
    [
      '65 assertions',
      { kind: 'and', children: Array(64).fill({ kind: 'no_dialog' }) },
      ['$: A contract may hold 64 assertions at most; this one has more, and only the first 64 were checked.'],
    ],
  ])('%s', (_, input, lines) => {
    expect(problems(input)).toEqual(lines);
  });

  test('lists everything at once, also below an unknown kind', () => {
    const contract = {
      kind: 'AND',
      children: [
        { kind: 'dom_count', selector: '>>', op: 'lt', value: -1, note: '' },
        { kind: 'or', children: [{ kind: 'url', pattern: '[' }, 5], extra: true },
      ],
    };
    expect(problems(contract)).toEqual([
      `$.kind: "kind" must be one of ${KINDS}; it is "AND".`,
      '$.children.0.selector: "selector" is not a valid selector: expected a selector at character 1, but found ">>".',
      '$.children.0.op: "op" must be one of eq, gte, lte; it is "lt".',
      '$.children.0.value: "value" must be 0 or more, not -1.',
      '$.children.0.note: "dom_count" has no field "note"; its fields are selector, op, value, page_url.',
      '$.children.1.extra: "or" has no field "extra"; its fields are children.',
      '$.children.1.children.0.pattern: "pattern" cannot be used: missing closing ] at [.',
      '$.children.1.children.1: An assertion must be an object with a "kind", not a number.',
    ]);
  });

  test('paths begin with the path of the caller', () => {
    const parsed = parseContract({ kind: 'and', children: [{}] }, '$.success');
    expect(!parsed.ok && parsed.problems[0]?.path).toBe('$.success.children.0.kind');
  });
});
