import type { Run } from '../api/queries.ts';

/** "Geography on ChatGPT Web". */
export function runName({ dataset, provider }: Pick<Run, 'dataset' | 'provider'>): string {
  return `${dataset.name} on ${provider.name}`;
}

/** The model's name as the page or the endpoint reported it. Several names are all listed. */
export function modelName({ model, model_labels }: Pick<Run, 'model' | 'model_labels'>): string | undefined {
  return model_labels.length > 1 ? model_labels.join(', ') : (model ?? model_labels[0]);
}
