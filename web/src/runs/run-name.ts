import type { Run } from '../api/queries.ts';

/** What people call the run: its label, or what it is about where it has none. A capture without a label of its own has its dataset's name. */
export function runName(run: Pick<Run, 'label' | 'dataset' | 'provider'>): string {
  const label = run.label.trim();
  return label === '' || label === run.dataset.name ? runSubject(run) : label;
}

/** "Geography on ChatGPT Web". */
export function runSubject({ dataset, provider }: Pick<Run, 'dataset' | 'provider'>): string {
  return `${dataset.name} on ${provider.name}`;
}

/** The model's name as the page or the endpoint reported it. Several names are all listed. */
function modelName({ model, model_labels }: Pick<Run, 'model' | 'model_labels'>): string | undefined {
  return model_labels.length > 1 ? model_labels.join(', ') : (model ?? model_labels[0]);
}

/** What the name leaves out: dataset and provider where the label is the name, and the model. */
export function runDetails(run: Pick<Run, 'label' | 'dataset' | 'provider' | 'model' | 'model_labels'>): string {
  const subject = runSubject(run);
  return [runName(run) === subject ? undefined : subject, modelName(run)].filter(Boolean).join(' · ');
}
