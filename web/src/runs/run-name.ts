import type { Run } from '../api/queries.ts';

/** What people call the run: its label, or what it is about where it has none. */
export function runName(run: Pick<Run, 'label' | 'dataset' | 'provider'>): string {
  return run.label.trim() || runSubject(run);
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
