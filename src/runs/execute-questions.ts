/** The questions of a run: some at a time, each asked once per attempt. A call that fails ends its attempt with an error, which is no answer. */
import type { AttemptRef } from '../events/index.ts';
import { type CallContext, type Completion, systemContext } from '../models/index.ts';
import { FailureWatch } from './answers/failure-watch.ts';
import { pace } from './answers/pace.ts';
import { askQuestion, type Question } from './ask-question.ts';
import type { ExecuteOptions, Execution } from './execution.ts';
import { nearOrPublic } from './open-run-model.ts';
import type { QuestionRun } from './resolve-questions.ts';
import type { AttemptWriter, Claim } from './run-store.ts';

/** @returns why asking was given up before its end; undefined where it was not. */
export async function executeQuestions(run: QuestionRun, execution: Execution): Promise<string | undefined> {
  const { signal } = execution.options;
  const giveUp = new AbortController();
  const both = AbortSignal.any([giveUp.signal, ...(signal ? [signal] : [])]);
  const calls = questionCalls(execution.options, both);
  const context: CallContext = { ...calls, turn: pace(run.requestsPerMinute, calls) };
  const watch = new FailureWatch();
  let reason: string | undefined;
  await execution.eachClaim(run.concurrency, run.concurrency, async function* (claims) {
    for await (const claim of claims) {
      const completion = await ask(claim, run, execution.options, context).catch((error: unknown) => {
        // What can't be kept needs no answer: calls that are under way end too.
        giveUp.abort(error);
        throw error;
      });
      if (!completion) return yield { claim, status: 'stopped', reason: 'The call was ended together with the run.' };
      const { status, error, warnings } = completion;
      yield { claim, status, reason: error?.message ?? '', code: error?.code, warnings };
      reason ??= watch.see(completion);
      if (reason === undefined) continue;
      // What would be said of the next question is known.
      giveUp.abort(new Error(reason));
      return;
    }
  });
  return reason;
}

/** Calls of models that the user has named: a server on this machine or on a private network is allowed, unless the caller decides otherwise. */
export function questionCalls(
  { env = {}, limits = {}, assertUrl = nearOrPublic, keyAccess }: ExecuteOptions,
  signal: AbortSignal,
): CallContext {
  return { ...systemContext(signal, assertUrl, limits, keyAccess), env };
}

/** @returns undefined where the work was stopped: then the attempt has no end, and is made again when the run is resumed. */
async function ask(
  claim: Claim,
  run: QuestionRun,
  { store, slots, onEvent }: ExecuteOptions,
  context: CallContext,
): Promise<Completion | undefined> {
  const { asked } = run;
  const { signal } = context;
  await using writer = await store.open(claim, { isShort: true });
  const call = () => askQuestion(questionOf(claim, run), asked, told(writer, claim.attempt, onEvent), context);
  try {
    return await (slots ? slots.use(asked.provider.id, signal, call) : call());
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Where the claim brings the case, the store keeps it, and the journal need not. */
function questionOf({ attempt, snapshot }: Claim, { items }: QuestionRun): Question {
  const item = items.get(attempt.caseId);
  if (item) return { attempt, prompt: item.prompt_text, task: item };
  const prompt = snapshot?.['prompt_text'];
  if (typeof prompt !== 'string')
    throw new Error(`${attempt.caseId} is no item of the run, and its claim has no prompt`);
  return { attempt, prompt };
}

function told(
  writer: AttemptWriter,
  attempt: AttemptRef,
  onEvent: ExecuteOptions['onEvent'],
): Pick<AttemptWriter, 'append' | 'finish'> {
  if (!onEvent) return writer;
  return {
    finish: () => writer.finish(),
    append: (event) => {
      const written = writer.append(event);
      onEvent(written, attempt);
      return written;
    },
  };
}
