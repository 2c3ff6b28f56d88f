/** Graders: checkers of answers, and model judges. */
export { checkItem } from './answer/check-item.ts';
export { type CheckResult, type ScoreVerdict, skipped } from './answer/check-result.ts';
export { type JudgeProvider, type JudgeRecord, judgeItem } from './judge/judge-item.ts';
