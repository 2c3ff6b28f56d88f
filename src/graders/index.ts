/** Graders: each reads an attempt that has ended, and says pass, fail, or why it can't tell. */
export { checkItem } from './answer/check-item.ts';
export { type CheckResult, type ScoreVerdict, skipped } from './answer/check-result.ts';
export { gradeAttempt, type NewAssessment } from './grade-attempt.ts';
export {
  type Assessment,
  type AttemptReader,
  defineGrader,
  type GradedCase,
  type Grader,
  type GraderContext,
} from './grader.ts';
export { type Judge, type JudgePicture, JudgeProblem, type JudgeRequest } from './judge/judge.ts';
export { JudgeBudget, type JudgeLimits } from './judge/judge-budget.ts';
export { type JudgeProvider, type JudgeRecord, judgeItem } from './judge/judge-item.ts';
export { type GradeJudge, type JudgeModel, judgeModel } from './judge/judge-model.ts';
export { withVotes } from './judge/with-votes.ts';
export { makeGrader } from './make-grader.ts';
export { parseWebjudgeVerdict } from './webjudge/parse-webjudge.ts';
export { parseWebvoyager } from './webvoyager/parse-webvoyager.ts';
