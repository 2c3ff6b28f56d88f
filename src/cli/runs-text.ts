/** Runs of a server as lines for people. */
import type { Answer } from '../server/client.ts';

type Run = Answer<'get', '/runs'>['runs'][number];
type RunDetail = Answer<'get', '/runs/{id}'>;

/** One line: the id to copy, what was run, and what came of it. */
export function runLine(run: Run): string {
  const { id, label, dataset, status, scoring_status, tags } = run;
  const name = label === '' ? '' : `“${label}”, `;
  const tagged = tags.length === 0 ? '' : ` [${tags.join(', ')}]`;
  return `${id}  ${name}${dataset.name} by ${whoOf(run)}: ${status}, scoring ${scoring_status}, ${shareOf(run)}${tagged}\n`;
}

export function runDetailText(run: RunDetail): string {
  const { id, status, status_reason, scoring_status, scoring_reason, counts, item_count, tags, warnings } = run;
  const { answered = 0, errored = 0, missing = 0 } = counts;
  const reason = (text: string | null) => (text === null ? '' : `: ${text}`);
  const lines = [
    `run ${id}`,
    ...(run.label === '' ? [] : [`label: ${run.label}`]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
    `dataset: ${run.dataset.name} (${run.dataset.id})${run.dataset.is_current ? '' : ', changed since'}`,
    `provider: ${whoOf(run)}${run.capture_label === null ? '' : ` (${run.capture_label})`}`,
    `status: ${status}${reason(status_reason)}`,
    `scoring: ${scoring_status}${reason(scoring_reason)}`,
    `${answered} of ${item_count} items answered, ${errored} with errors, ${missing} missing`,
    shareOf(run),
    ...run.summary.sections.map((section) => `  ${section.section || 'no section'}: ${shareOf(section)}`),
    ...warnings.map(({ message }) => `warning: ${message}`),
  ];
  return `${lines.join('\n')}\n`;
}

function whoOf({ provider, model, model_labels }: Run): string {
  const models = model ?? model_labels.join(', ');
  return models === '' ? provider.name : `${provider.name}, ${models}`;
}

/** Accuracy is never said without the coverage. */
function shareOf({ accuracy, coverage }: { accuracy: number | null; coverage: number | null }): string {
  if (accuracy === null) return 'nothing scored';
  return `${percent(accuracy)} right, ${percent(coverage ?? 0)} of the items scored`;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
