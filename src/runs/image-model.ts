/** The model that answers what contracts ask about screenshots (`image_qa`): opened once per run, before anything starts. */
import type { LoadedTask } from '../cases/index.ts';
import { factsNeeded } from '../contracts/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { CallFailure, type ModelChoice, type OpenedModel, openModel, systemContext } from '../models/index.ts';
import { assertPublicUrl } from '../net/index.ts';

/** A look waits for the answer: fewer and shorter tries than a run of answers has. */
const LIMITS = { attempts: 3, timeoutMs: 60_000, maxRetryAfterMs: 30_000 };

/** @returns undefined where no task asks a model. */
export async function openImageModel(
  tasks: readonly LoadedTask[],
  choice: ModelChoice | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedModel | undefined> {
  const asking = tasks.find(({ task }) => factsNeeded(task.success).answers.length > 0);
  if (!asking) return undefined;
  if (!choice) {
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: `${asking.source} asks a model about a screenshot (image_qa), and no model was given.`,
      hint: 'Name one with --image-model <kind:id>, for example --image-model openai:gpt-5-mini.',
    });
  }
  // Every call is bounded by the signal of its attempt. An address that was typed here may be on this machine.
  const context = systemContext(new AbortController().signal, localOrPublic, LIMITS);
  try {
    return await openModel(choice, { ...context, env });
  } catch (cause) {
    if (!(cause instanceof CallFailure)) throw cause;
    const message = `The model ${choice.kind}:${choice.model} can't be used: ${cause.message}`;
    throw new WaymarkError({ code: 'usage_bad_value', message, hint: 'See docs/reference/providers.md.', cause });
  }
}

/** `kind:id`, as `--image-model` takes it. */
export function nameOf({ kind, id }: OpenedModel): string {
  return `${kind}:${id}`;
}

async function localOrPublic(url: string) {
  return (await assertPublicUrl(url, { allow: ['loopback'] })).addresses;
}
