/** One question, asked once: what is asked, what comes back and how it ended go into the attempt's journal. */
import { type AttemptRef, answeredEvents, askedEvents } from '../events/index.ts';
import { type ApiProvider, type CallContext, type Completion, completeItem } from '../models/index.ts';
import type { AttemptWriter } from './run-store.ts';

export interface Question {
  readonly attempt: AttemptRef;
  readonly prompt: string;
  /** The whole case, where the store does not keep it and the journal has to. */
  readonly task?: unknown;
}

export interface AskedModel {
  readonly provider: ApiProvider;
  readonly model: string;
  readonly params: {
    readonly system?: string | undefined;
    readonly temperature?: number | undefined;
    readonly max_tokens?: number | undefined;
  };
}

/**
 * A call that fails is an answer too: the attempt then ends with an error.
 * @throws the signal's reason where the work was stopped, and `lease_lost` where the attempt is no longer ours: then nothing was written.
 */
export async function askQuestion(
  { attempt, prompt, task }: Question,
  { provider, model, params }: AskedModel,
  writer: Pick<AttemptWriter, 'append' | 'finish'>,
  context: CallContext,
): Promise<Completion> {
  const agent = { kind: 'model', name: model, config: { provider: provider.id, ...params } };
  for (const event of askedEvents({ attempt, agent, prompt, ...(task === undefined ? {} : { task }) }))
    writer.append(event);
  const completion = await completeItem({ prompt_text: prompt, model, ...params }, provider, context);
  const { status, response, error, model_label, latency_ms, usage, warnings } = completion;
  const answer = status === 'answered' ? response : response || null;
  const answered = {
    answer,
    error,
    modelLabel: model_label,
    latencyMs: latency_ms,
    usage,
  };
  for (const message of warnings) writer.append({ type: 'warning', source: 'model', message });
  for (const event of answeredEvents(answered)) writer.append(event);
  await writer.finish();
  return completion;
}
