/** Which provider judges a run: the one in its configuration; for an older run its own, if that is an API; otherwise scoring is blocked, with the reason. */
export interface ProviderRef {
  readonly id: string;
  readonly surface: 'api' | 'browser';
}

export interface RunJudgeConfig {
  readonly provider_id?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly prompt?: string | null | undefined;
}

export type JudgeForRun =
  | { readonly status: 'ready'; readonly provider_id: string; readonly model: string; readonly prompt: string }
  | { readonly status: 'blocked'; readonly reason: string };

/** `configured` and `own` are what the store has under the ids of the configuration and of the run; undefined where it has nothing. */
export function judgeForRun(
  judge: RunJudgeConfig | null | undefined,
  configured: ProviderRef | undefined,
  own: ProviderRef | undefined,
  ownModel: string | null,
): JudgeForRun {
  const wanted = judge?.provider_id ?? undefined;
  const provider = wanted === undefined ? own : configured;
  if (wanted !== undefined && provider?.id !== wanted) {
    return { status: 'blocked', reason: `The judge's provider ${wanted} is not there any more.` };
  }
  if (provider?.surface !== 'api') {
    return {
      status: 'blocked',
      reason:
        wanted === undefined
          ? 'Items need a judge, and the run has none.'
          : "The judge's provider is not an API provider.",
    };
  }
  const model = judge?.model || (wanted === undefined ? ownModel : null);
  if (!model) return { status: 'blocked', reason: 'The judge has no model.' };
  return { status: 'ready', provider_id: provider.id, model, prompt: judge?.prompt ?? '' };
}
