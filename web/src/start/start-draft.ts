/** What stands in the fields of a start, and the request that it makes. Numbers are texts until then: people write them one digit at a time. */
import type { StartRequest } from './start-queries.ts';

export interface StartDraft {
  readonly suite: string;
  readonly seeds: string;
  readonly filter: string;
  /** Empty: agent, server and model are chosen one by one. */
  readonly variant: string;
  readonly agent: string;
  readonly server: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly trials: string;
  readonly concurrency: string;
  readonly retries: string;
  readonly maxSteps: string;
  readonly maxSeconds: string;
  readonly maxTokens: string;
  readonly maxCost: string;
  readonly maxRunTokens: string;
  readonly maxRunCost: string;
  readonly experiment: string;
}

export type ChangeStart = (next: Partial<StartDraft>) => void;

export const EMPTY_DRAFT: StartDraft = {
  suite: '',
  seeds: '',
  filter: '',
  variant: '',
  agent: 'scripted',
  server: 'embedded',
  model: '',
  baseUrl: '',
  trials: '1',
  concurrency: '2',
  retries: '',
  maxSteps: '',
  maxSeconds: '',
  maxTokens: '',
  maxCost: '',
  maxRunTokens: '',
  maxRunCost: '',
  experiment: '',
};

/** The fields of a request that was made before. */
export function draftOf({ maxDurationMs, ...request }: StartRequest): StartDraft {
  const texts = Object.entries(request).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const maxSeconds = maxDurationMs === undefined ? '' : String(maxDurationMs / 1_000);
  return { ...EMPTY_DRAFT, trials: '', concurrency: '', maxSeconds, ...Object.fromEntries(texts) };
}

const WHOLE_FIELDS = {
  trials: 100,
  concurrency: 64,
  maxSteps: 1_000,
  maxSeconds: 86_400,
  maxTokens: 1e9,
  maxRunTokens: 1e12,
} as const;

/** The problem of each field, by its name. An empty field is not a problem yet. */
export function fieldErrors(draft: StartDraft): Partial<Record<keyof StartDraft, string>> {
  const wrong: Partial<Record<keyof StartDraft, string>> = {};
  for (const [name, most] of Object.entries(WHOLE_FIELDS)) {
    const value = draft[name as keyof StartDraft].trim();
    if (value !== '' && !(/^[1-9]\d*$/.test(value) && Number(value) <= most))
      wrong[name as keyof StartDraft] = `A whole number from 1 to ${most.toLocaleString('en')}, or nothing.`;
  }
  for (const name of ['maxCost', 'maxRunCost'] as const)
    if (draft[name].trim() !== '' && !(Number(draft[name]) > 0)) wrong[name] = 'US dollars, such as 0.50, or nothing.';
  if (!/^[0-5]?$/.test(draft.retries.trim())) wrong.retries = 'A whole number from 0 to 5, or nothing.';
  if (draft.model.trim() !== '' && !/^[a-z-]+:\S+$/.test(draft.model.trim()))
    wrong.model = 'The kind and the name of the model, such as openai:gpt-5-mini.';
  if (draft.seeds.trim() !== '' && !/^[\d.,]+$/.test(draft.seeds.trim())) wrong.seeds = 'Such as 0..9, 3 or 1,4,7.';
  return wrong;
}

/** Undefined until all required fields are filled in and valid. */
export function requestOf(draft: StartDraft): StartRequest | undefined {
  if (draft.suite === '' || Object.keys(fieldErrors(draft)).length > 0) return undefined;
  const isModelNeeded = draft.variant === '' && draft.agent !== 'scripted';
  if (isModelNeeded && draft.model.trim() === '') return undefined;
  const text = (name: keyof StartDraft) => (draft[name].trim() === '' ? {} : { [name]: draft[name].trim() });
  const number = (name: keyof StartDraft) => (draft[name].trim() === '' ? {} : { [name]: Number(draft[name]) });
  const who =
    draft.variant === ''
      ? {
          agent: draft.agent as NonNullable<StartRequest['agent']>,
          server: draft.server as NonNullable<StartRequest['server']>,
          ...(isModelNeeded ? { ...text('model'), ...text('baseUrl') } : {}),
        }
      : { variant: draft.variant };
  return {
    suite: draft.suite,
    ...text('seeds'),
    ...text('filter'),
    ...who,
    ...number('trials'),
    ...number('concurrency'),
    ...number('retries'),
    ...number('maxSteps'),
    ...(draft.maxSeconds.trim() === '' ? {} : { maxDurationMs: Number(draft.maxSeconds) * 1_000 }),
    ...number('maxTokens'),
    ...number('maxCost'),
    ...number('maxRunTokens'),
    ...number('maxRunCost'),
    ...text('experiment'),
  };
}
