/** The questions of a run: some at a time, each asked once per attempt. A call that fails ends its attempt with an error, which is no answer. */
import type { Item } from '../cases/index.ts';
import { type CallContext, type Completion, systemContext } from '../models/index.ts';
import { assertPublicUrl } from '../net/index.ts';
import { FailureWatch } from './answers/failure-watch.ts';
import { pace } from './answers/pace.ts';
import { askQuestion } from './ask-question.ts';
import type { ExecuteOptions, Execution } from './execution.ts';
import type { QuestionRun } from './resolve-questions.ts';
import type { AttemptWriter, Claim } from './run-store.ts';

/** @returns why asking was given up before its end; undefined where it was not. */
export async function executeQuestions(run: QuestionRun, execution: Execution): Promise<string | undefined> {
  const { store, signal, onEvent } = execution.options;
  const giveUp = new AbortController();
  const both = AbortSignal.any([giveUp.signal, ...(signal ? [signal] : [])]);
  const calls = questionCalls(execution.options, both);
  const context: CallContext = { ...calls, turn: pace(run.requestsPerMinute, calls) };
  const watch = new FailureWatch();
  let reason: string | undefined;
  await execution.eachClaim(run.concurrency, run.concurrency, async function* (claims) {
    for await (const claim of claims) {
      await using writer = await store.open(claim);
      const completion = await ask(claim, run, told(writer, onEvent), context);
      if (!completion) return yield { claim, status: 'stopped', reason: 'The call was ended together with the run.' };
      const { status, error } = completion;
      yield { claim, status, reason: error?.message ?? '' };
      reason ??= watch.see(completion);
      if (reason === undefined) continue;
      // What would be said of the next question is known: calls that are under way end too.
      giveUp.abort(new Error(reason));
      return;
    }
  });
  return reason;
}

/** Calls of models that the user has named: a server on this machine is allowed. */
export function questionCalls({ env = {}, limits = {} }: ExecuteOptions, signal: AbortSignal): CallContext {
  const check = async (url: string) => (await assertPublicUrl(url, { allow: ['loopback'] })).addresses;
  return { ...systemContext(signal, check, limits), env };
}

/** @returns undefined where the work was stopped: then the attempt has no end, and is made again when the run is resumed. */
async function ask(
  { attempt }: Claim,
  { items, asked }: QuestionRun,
  writer: AttemptWriter,
  context: CallContext,
): Promise<Completion | undefined> {
  const item: Item | undefined = items.get(attempt.caseId);
  if (!item) throw new Error(`the plan names ${attempt.caseId}, which is no item of the run`);
  try {
    return await askQuestion({ attempt, prompt: item.prompt_text, task: item }, asked, writer, context);
  } catch (error) {
    if (context.signal.aborted) return undefined;
    throw error;
  }
}

function told(writer: AttemptWriter, onEvent: ExecuteOptions['onEvent']): AttemptWriter {
  if (!onEvent) return writer;
  return {
    ...writer,
    append: (event) => {
      const written = writer.append(event);
      onEvent(written);
      return written;
    },
  };
}
