import type { Run } from '../api/queries.ts';

/** "Geography on ChatGPT Web". */
export function runName({ dataset, provider }: Pick<Run, 'dataset' | 'provider'>): string {
  return `${dataset.name} on ${provider.name}`;
}

/** As the page or the endpoint named it; several of them are told apart. */
export function modelName({ model, model_labels }: Pick<Run, 'model' | 'model_labels'>): string | undefined {
  return model_labels.length > 1 ? model_labels.join(', ') : (model ?? model_labels[0]);
}
