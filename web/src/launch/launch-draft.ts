/** What stands in the fields of a launch, and the request that it makes. Numbers are texts until then: people write them one digit at a time. */
import type { Answer, Request } from '../../../src/server/client.ts';

export type LaunchRequest = Request<'post', '/runs'>['json'];
export type Schedule = Answer<'get', '/schedules/{id}'>;
export type TaskSchedule = Extract<Schedule, { tasks: unknown }>;
export type QuestionSchedule = Exclude<Schedule, { tasks: unknown }>;

export interface LaunchDraft {
  readonly datasetId: string;
  /** Undefined: all of them. */
  readonly sections: readonly string[] | undefined;
  /** Only a schedule that was made elsewhere has them. */
  readonly itemIds: readonly string[] | undefined;
  readonly maxItems: string;
  readonly providerId: string;
  readonly model: string;
  readonly temperature: string;
  readonly maxTokens: string;
  readonly system: string;
  readonly concurrency: string;
  readonly perMinute: string;
  readonly label: string;
  readonly judge: { readonly providerId: string; readonly model: string; readonly prompt: string };
}

export type ChangeLaunch = (next: Partial<LaunchDraft>) => void;

export const emptyDraft = (from: { datasetId?: string; providerId?: string } = {}): LaunchDraft => ({
  datasetId: '',
  sections: undefined,
  itemIds: undefined,
  maxItems: '',
  providerId: '',
  model: '',
  temperature: '',
  maxTokens: '',
  system: '',
  concurrency: '',
  perMinute: '',
  label: '',
  judge: { providerId: '', model: '', prompt: '' },
  ...from,
});

const text = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value));

export const draftOf = (schedule: QuestionSchedule): LaunchDraft => ({
  datasetId: schedule.dataset_id,
  sections: schedule.sections ?? undefined,
  itemIds: schedule.item_ids ?? undefined,
  maxItems: text(schedule.max_items),
  providerId: schedule.provider_id,
  model: schedule.model,
  temperature: text(schedule.params?.temperature),
  maxTokens: text(schedule.params?.max_tokens),
  system: schedule.params?.system ?? '',
  concurrency: text(schedule.concurrency),
  perMinute: text(schedule.requests_per_minute),
  label: schedule.label ?? '',
  judge: {
    providerId: schedule.judge?.provider_id ?? '',
    model: schedule.judge?.model ?? '',
    prompt: schedule.judge?.prompt ?? '',
  },
});

const WHOLE = 'A whole number of at least 1, or nothing.';
const isWhole = (value: string, most: number): boolean =>
  value.trim() === '' || (/^[1-9]\d*$/.test(value.trim()) && Number(value) <= most);

/** The problem of each field, by its name. An empty field is not a problem yet. */
export function fieldErrors(draft: LaunchDraft): Partial<Record<keyof LaunchDraft, string>> {
  const { temperature } = draft;
  const isWarm = temperature.trim() === '' || (Number(temperature) >= 0 && Number(temperature) <= 2);
  return {
    ...(isWhole(draft.maxItems, Number.MAX_SAFE_INTEGER) ? {} : { maxItems: WHOLE }),
    ...(isWhole(draft.maxTokens, 1_000_000) ? {} : { maxTokens: WHOLE }),
    ...(isWhole(draft.concurrency, 32) ? {} : { concurrency: 'A whole number from 1 to 32, or nothing for 4.' }),
    ...(isWhole(draft.perMinute, 100_000) ? {} : { perMinute: WHOLE }),
    ...(isWarm ? {} : { temperature: 'A number from 0 to 2, or nothing.' }),
  };
}

/** Undefined until all required fields are filled in and valid. */
export function requestOf(draft: LaunchDraft): LaunchRequest | undefined {
  const { datasetId, providerId, sections, itemIds, judge } = draft;
  const model = draft.model.trim();
  if (datasetId === '' || providerId === '' || model === '' || sections?.length === 0) return undefined;
  if (Object.keys(fieldErrors(draft)).length > 0) return undefined;
  const number = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: Number(value) });
  return {
    dataset_id: datasetId,
    provider_id: providerId,
    model,
    ...(sections === undefined ? {} : { sections: [...sections] }),
    ...(itemIds === undefined ? {} : { item_ids: [...itemIds] }),
    ...number('max_items', draft.maxItems),
    ...number('concurrency', draft.concurrency),
    ...number('requests_per_minute', draft.perMinute),
    params: {
      ...number('temperature', draft.temperature),
      ...number('max_tokens', draft.maxTokens),
      ...(draft.system.trim() === '' ? {} : { system: draft.system.trim() }),
    },
    ...(draft.label.trim() === '' ? {} : { label: draft.label.trim() }),
    ...(judge.providerId === ''
      ? {}
      : { judge: { provider_id: judge.providerId, model: judge.model.trim(), prompt: judge.prompt } }),
  };
}
