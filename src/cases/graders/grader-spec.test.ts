import { describe, expect, test } from 'vitest';
import { parseTask } from '../tasks/task.ts';

const TASK = { id: 'a', title: 'a', startUrl: 'about:blank', goal: 'a', success: { kind: 'no_dialog' } };

function problemsOf(change: Record<string, unknown>): string[] {
  const parsed = parseTask({ ...TASK, ...change });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('the graders of a task', () => {
  test('may be several, of one kind too, and one of them decides', () => {
    const graders = [
      { grader: 'contract' },
      { grader: 'trajectory', maxSteps: 5 },
      { grader: 'trajectory', name: 'no-errors', maxErrors: 0 },
    ];
    expect(problemsOf({ graders, decidedBy: 'no-errors' })).toEqual([]);
    expect(problemsOf({ graders, decidedBy: 'contract' })).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'an unknown kind',
      { graders: [{ grader: 'vibes' }] },
      /^\$\.graders\.0\.grader: "grader" must be one of contract, answer, .*module, not "vibes"\.$/,
    ],
    [
      'two of one name',
      { graders: [{ grader: 'webvoyager' }, { grader: 'webvoyager' }] },
      /^\$\.graders\.1: An entry of "graders" is a second grader with the name "webvoyager"/,
    ],
    [
      'a decision by a grader that is not there',
      { graders: [{ grader: 'webvoyager' }], decidedBy: 'webjudge' },
      /^\$\.decidedBy: "decidedBy" names "webjudge".*there are contract, webvoyager\.$/,
    ],
    [
      'the name of a deciding grader of questions',
      { graders: [{ grader: 'rubric', name: 'judge' }] },
      /^\$\.graders\.0: An entry of "graders" has the name "judge", under which a question's own checker or judge is kept; choose another "name"\.$/,
    ],
    [
      'a decision by a module that has no name here',
      {
        graders: [
          { grader: 'module', file: 'a.ts' },
          { grader: 'module', file: 'b.ts' },
        ],
        decidedBy: 'module',
      },
      /^\$\.decidedBy: "decidedBy" names "module".*there are contract; a module that decides needs a "name" here\.$/,
    ],
    [
      'an unknown setting',
      { graders: [{ grader: 'webvoyager', picture: 3 }] },
      /^\$\.graders\.0\.picture: Unknown field "picture"\.$/,
    ],
  ])('%s is refused with a sentence', (_, change, expected) => {
    const problems = problemsOf(change);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });
});
