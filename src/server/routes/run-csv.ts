/** The columns of runs and of items in CSV. */
import type { CsvValue } from '../../view/index.ts';
import type { wireItem, wireRun } from '../wire-names.ts';

export type Column<Row> = readonly [name: string, value: (row: Row) => CsvValue];

type Run = ReturnType<typeof wireRun>;
type Item = ReturnType<typeof wireItem>;

export const RUN_COLUMNS: readonly Column<Run>[] = [
  ['id', ({ id }) => id],
  ['label', ({ label }) => label],
  ['tags', ({ tags }) => tags.join(', ')],
  ['dataset', ({ dataset }) => dataset.name],
  ['dataset_id', ({ dataset }) => dataset.id],
  ['dataset_version', ({ dataset }) => dataset.version_hash],
  ['provider', ({ provider }) => provider.name],
  ['surface', ({ provider }) => provider.surface],
  ['model', ({ model, model_labels }) => model ?? model_labels.join(', ')],
  ['status', ({ status }) => status],
  ['status_reason', ({ status_reason }) => status_reason],
  ['scoring_status', ({ scoring_status }) => scoring_status],
  ['items', ({ item_count }) => item_count],
  ['answered', ({ counts }) => counts['answered'] ?? null],
  ['errored', ({ counts }) => counts['errored'] ?? null],
  ['missing', ({ counts }) => counts['missing'] ?? null],
  ['scored', ({ counts }) => counts['scored'] ?? null],
  ['passed', ({ counts }) => counts['passed'] ?? null],
  ['accuracy', ({ accuracy }) => accuracy],
  ['coverage', ({ coverage }) => coverage],
  ['input_tokens', ({ usage }) => usage?.input_tokens ?? null],
  ['output_tokens', ({ usage }) => usage?.output_tokens ?? null],
  ['cost_usd', ({ usage }) => usage?.cost_usd ?? null],
  ['created_at', ({ created_at }) => created_at],
  ['finished_at', ({ finished_at }) => finished_at],
];

/** The last score is the one that counts. */
export const ITEM_COLUMNS: readonly Column<Item>[] = [
  ['seq', ({ seq }) => seq],
  ['id', ({ id }) => id],
  ['section', ({ section }) => section],
  ['type', ({ type }) => type],
  ['status', ({ status }) => status],
  ['outcome', ({ outcome }) => outcome],
  ['verdict', ({ scores }) => scores.at(-1)?.verdict ?? null],
  ['value', ({ scores }) => scores.at(-1)?.value ?? null],
  ['method', ({ scores }) => scores.at(-1)?.method ?? null],
  ['prompt_text', ({ prompt_text }) => prompt_text],
  ['response', ({ response }) => response],
  ['error_code', ({ error }) => error?.code ?? null],
  ['error_message', ({ error }) => error?.message ?? null],
  ['model_label', ({ model_label }) => model_label],
  ['attempts', ({ attempts }) => attempts],
  ['latency_ms', ({ timing }) => timing.latency_ms],
  ['input_tokens', ({ usage }) => usage?.input_tokens ?? null],
  ['output_tokens', ({ usage }) => usage?.output_tokens ?? null],
  ['cost_usd', ({ usage }) => usage?.cost_usd ?? null],
];
