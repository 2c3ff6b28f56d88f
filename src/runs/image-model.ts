/** The model that answers what contracts ask about screenshots (`image_qa`): opened once per run, before anything starts. */
import type { LoadedTask } from '../cases/index.ts';
import { factsNeeded } from '../contracts/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { ModelChoice, OpenedModel } from '../models/index.ts';
import type { Environment } from './open-run-model.ts';

/** A look waits for the answer: fewer and shorter tries than a run of answers has. */
const LIMITS = { attempts: 3, timeoutMs: 60_000, maxRetryAfterMs: 30_000 };

/** @returns undefined where no task asks a model. */
export async function openImageModel(
  tasks: readonly LoadedTask[],
  choice: ModelChoice | undefined,
  env: Environment,
): Promise<OpenedModel | undefined> {
  const asking = tasks.find(({ task }) => factsNeeded(task.success).answers.length > 0);
  if (!asking) return undefined;
  if (choice) {
    const { openRunModel } = await import('./open-run-model.ts');
    return openRunModel(choice, env, LIMITS);
  }
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `${asking.source} asks a model about a screenshot (image_qa), and no model was given.`,
    hint: 'Name one with --image-model <kind:id>, for example --image-model openai:gpt-5-mini.',
  });
}

/** `kind:id`, as `--image-model` takes it. */
export function nameOf({ kind, id }: OpenedModel): string {
  return `${kind}:${id}`;
}
