import type { OpenedModel } from '../../models/index.ts';

/** `kind:id`, as the command line takes it; with the host where it is not the kind's own. Never a key. */
export function modelName({ kind, id, baseUrl }: OpenedModel): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
  return kind === 'openai-compatible' ? `${kind}:${id} at ${host}` : `${kind}:${id}`;
}
