import { describe, expect, test } from 'vitest';
import { letterOf } from '../../cases/index.ts';
import { checkChoice, chosen } from './choice.ts';

const PLANETS = ['Venus', 'Mercury', 'Mars', 'Earth'];

/** The chosen letter, or the reason why there is none. */
function said(response: string, choices = PLANETS): string {
  const choice = chosen(response, choices);
  return 'problem' in choice ? choice.problem : letterOf(choice.index);
}

describe('a choice is read from', () => {
  test.each([
    // Bare letters.
    ['B', 'B'],
    ['b', 'B'],
    ['B.', 'B'],
    ['(B)', 'B'],
    ['[B]', 'B'],
    ['b)', 'B'],
    ['**B**', 'B'],
    ['__B__', 'B'],
    ['`B`', 'B'],
    ['**(B)**', 'B'],
    ['"B"', 'B'],
    ['Ｂ', 'B'],
    ['B\n', 'B'],
    ['\u200bB\u200b', 'B'],
    // Letter with text.
    ['B) Mercury', 'B'],
    ['B. Mercury', 'B'],
    ['(B) Mercury.', 'B'],
    ['**B) Mercury**', 'B'],
    ['B: Mercury', 'B'],
    ['B - Mercury', 'B'],
    ['B — Mercury', 'B'],
    ['Option B', 'B'],
    ['option B: Mercury', 'B'],
    ['B, because it orbits at 0.39 AU.', 'B'],
    ['B. Mercury is the closest planet because its orbit is the smallest.', 'B'],
    ['B) Mercury\n\nVenus is further out, and so is Mars.', 'B'],
    // Text alone.
    ['Mercury', 'B'],
    ['mercury.', 'B'],
    ['*Mercury*', 'B'],
    ['It is Mercury.', 'B'],
    ['Mercury is the closest planet to the Sun.', 'B'],
    // Statements.
    ['The answer is B.', 'B'],
    ['The answer is **B**.', 'B'],
    ['The answer is (B).', 'B'],
    ['The answer is b.', 'B'],
    ['The correct answer is B) Mercury.', 'B'],
    ['The correct answer is Mercury.', 'B'],
    ['The correct answer is: Mercury (B)', 'B'],
    ['The correct answer is **B: Mercury**, since it is closest.', 'B'],
    ['Answer: B', 'B'],
    ['ANSWER: B', 'B'],
    ['**Answer:** B', 'B'],
    ['Final answer: **B**', 'B'],
    ['**Final Answer:**\n\nB', 'B'],
    ['The answer would be option B.', 'B'],
    ['The best choice is B', 'B'],
    ['The right option must be (B)', 'B'],
    ['The answer to this question is B because it is closest.', 'B'],
    ['The answer is the planet Mercury.', 'B'],
    ['Option B is correct.', 'B'],
    ['(B) is the correct answer.', 'B'],
    ['Mercury is the right answer.', 'B'],
    ["I'd go with B.", 'B'],
    ['I think B.', 'B'],
    ["I would say it's B.", 'B'],
    ['So B.', 'B'],
    ['\\boxed{B}', 'B'],
    ['Therefore \\(\\boxed{B}\\).', 'B'],
    ['#### B', 'B'],
    ['- Answer: B', 'B'],
    ['Answer = B', 'B'],
    ['Answer → B', 'B'],
    ['The answer is indeed B.', 'B'],
    ['The correct answer is clearly B', 'B'],
    ['The answer, therefore, is B.', 'B'],
    ['The answer is $\\mathbf{B}$.', 'B'],
    ['$$\\boxed{\\text{B}}$$', 'B'],
    ['✅ **B) Mercury**', 'B'],
    ['👉 B', 'B'],
    ['B is closest to the Sun.', 'B'],
    ['La réponse est B.', 'B'],
    ['答案是 B。', 'B'],
    ["The correct answer isn't A; it's B.", 'B'],
    ["It can't be Venus, so it must be Mercury.", 'B'],
    ['Correct answer: **B. Mercury**\n\n**Explanation:** Options A, C and D are further out.', 'B'],
    // Long text around it.
    ['Venus is hot.\nMars is red.\nThe answer is B.', 'B'],
    ['The answer is B.\n\nWhy not the others:\nA) Venus is second.\nC) Mars is fourth.\nD) Earth is third.', 'B'],
    ['A) Venus\nB) Mercury\nC) Mars\nD) Earth\n\nB', 'B'],
    ['Options: A) Venus B) Mercury\nThe answer is B.', 'B'],
    ['Answer A is wrong because Venus is second. The correct answer is B.', 'B'],
    ['The answer is B because A is too far out.', 'B'],
    ['A planet close to the Sun is hot. The answer is B.', 'B'],
    // The last statement wins.
    ['The answer is A. Wait, no: B.', 'B'],
    ["The answer is A. Actually, it's B.", 'B'],
    ['The answer is A.\nOn reflection, the answer is B.', 'B'],
    ['First I thought the answer is C. The correct answer is B.', 'B'],
    // Denials are not statements.
    ['The answer is not A. The answer is B.', 'B'],
    ['The answer is B. It is not A.', 'B'],
    ['The answer is B, not A.', 'B'],
    ['The answer is B. The answer is never Venus.', 'B'],
    ['The answer is B. The answer is not the planet Venus.', 'B'],
    // A statement has priority over a line that is an option.
    ['C) Mars\n\nSorry, the answer is B.', 'B'],
    ['The answer is B.\n\nMars', 'B'],
    ['The answer is B. Venus is hotter, but further out.', 'B'],
    ['The answer is B.\nVenus comes next.', 'B'],
    ['The answer is B, Venus is too far out.', 'B'],
    // Wrong answers are read as they are.
    ['The answer is C.', 'C'],
    ['(D) Earth', 'D'],
    ['It is Venus, of course.', 'A'],
    // Only one option is named at all.
    ['Clearly (B), judging by the distance.', 'B'],
    ['Definitely the small one called Mercury, I am sure of it', 'B'],
  ])('%j', (response, expected) => {
    expect(said(response)).toBe(expected);
  });
});

describe('nothing is chosen by', () => {
  test.each([
    ['', 'The response names no option.'],
    ['I do not know.', 'The response names no option.'],
    ['A planet near the Sun.', 'The response names no option.'],
    ['The answer is a rocky planet.', 'The response names no option.'],
    ['E', 'The response names no option.'],
    ['The right answer is not listed.', 'The response names no option.'],
    ['None of the above', 'The response names no option.'],
    ['Either Venus or Mercury.', 'Ambiguous: the response names A and B and chooses none.'],
    ['The answer is A or B.', 'Ambiguous: the response names A and B.'],
    ['The answer is A and C.', 'Ambiguous: the response names A and C.'],
    ['Answer: A, B', 'Ambiguous: the response names A and B.'],
    ['The answer is Venus or Mars.', 'Ambiguous: the response names A and C.'],
    ['The answer is B) Venus.', 'Ambiguous: the response says B but names the text of A.'],
    ['The answer is B. Venus.', 'Ambiguous: the response says B but names the text of A.'],
    ['The answer is B: Venus, the second planet', 'Ambiguous: the response says B but names the text of A.'],
    ['B) Venus', 'Ambiguous: the response says B but names the text of A.'],
    ['A) Venus\nB) Mercury\nC) Mars\nD) Earth', 'Ambiguous: the response names A and B and C and D and chooses none.'],
    ['It is not Venus.', 'The response names no option.'],
  ])('%j', (response, expected) => {
    expect(said(response)).toBe(expected);
  });
});

describe('options that resemble each other', () => {
  test.each([
    ['The answer is New York City.', ['York', 'New York', 'New York City'], 'C'],
    ['New York', ['York', 'New York', 'New York City'], 'B'],
    ['The answer is 4.5', ['4', '4.5', '5'], 'B'],
    ['The answer is -4', ['4', '-4'], 'B'],
    ['It is 4.', ['4', '4.5', '5'], 'A'],
    ['true', ['True', 'False'], 'A'],
    ['The statement is false.', ['True', 'False'], 'B'],
    ['The answer is A', ['B', 'A'], 'A'],
    ['Straße', ['Strasse', 'Straße'], 'B'],
    ['(C) Au', ['Ag', 'Fe', 'Au', 'Gd'], 'C'],
    ['Gold, Au, comes from Australia.', ['Ag', 'Fe', 'Au', 'Gd'], 'C'],
  ])('%j of %j', (response, choices, expected) => {
    expect(said(response, choices)).toBe(expected);
  });
});

test('a result has the chosen option, the correct one and a reason', () => {
  expect(checkChoice('The answer is C.', PLANETS, 1)).toEqual({
    value: 0,
    verdict: 'fail',
    detail: { reason: 'The response chooses C, not B.', found: 'C', expected: 'B' },
  });
  expect(checkChoice('B', PLANETS, 1)).toEqual({
    value: 1,
    verdict: 'pass',
    detail: { reason: 'The response chooses B.', found: 'B', expected: 'B' },
  });
});

test.each([
  ['asterisks', '*'.repeat(1_000_000)],
  ['labels', 'the answer is '.repeat(70_000)],
  ['labels without a verb', 'answer '.repeat(140_000)],
  ['letters', 'A or B '.repeat(140_000)],
  ['brackets', '('.repeat(1_000_000)],
  ['options', 'Mercury '.repeat(125_000)],
  ['spaces', `the answer is${' '.repeat(1_000_000)}x`],
  ['lines', '\n'.repeat(1_000_000)],
  ['praise', ' is the the the the'.repeat(50_000)],
])('a megabyte of %s is read in linear time', (_, response) => {
  const before = process.cpuUsage();
  chosen(response, PLANETS);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(4000);
});
