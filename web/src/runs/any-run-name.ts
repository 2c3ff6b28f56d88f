/** Names of runs of all kinds for lists and pickers, and where their pages are. */
import { isTestModel } from '../../../src/events/test-model.ts';
import type { AnyRun } from '../api/queries.ts';

type Named = Pick<AnyRun, 'id' | 'kind' | 'label' | 'suite' | 'variant' | 'model' | 'experiment'>;

/** What people call the run: its label, or what it is about where it has none. A capture without a label of its own has its dataset's name. */
export function anyRunName(run: Named): string {
  const label = run.label.trim();
  return label === '' || label === run.suite.name ? subjectOf(run) : label;
}

/** "Geography on ChatGPT Web"; "web-ten, single on playwright", because the variant of an agent names its server. */
function subjectOf({ id, kind, suite, variant }: Named): string {
  if (kind === 'agent') return suite.name === '' ? id : `${suite.name}, ${variant.name}`;
  return `${suite.name} on ${variant.name}`;
}

/** What the name leaves out: suite and variant where the label is the name, and the model where they do not have it. */
export function anyRunDetails(run: Named): string {
  const subject = subjectOf(run);
  const { model, variant } = run;
  const hasModel = model === null || variant.name === model || variant.name.includes(`(${model})`);
  return [anyRunName(run) === subject ? [] : subject, hasModel ? [] : model].flat().join(' · ');
}

/** Made with the test model: it measures no model, which is said wherever its results are shown. */
export const TEST_MODEL = 'test model';

export function isOfTestModel({ model }: Pick<AnyRun, 'model'>): boolean {
  return model?.split(', ').some(isTestModel) === true;
}

/** Its page: one of questions and answers, or one of attempts. */
export function anyRunPage({ kind, place }: Pick<AnyRun, 'kind' | 'place'>): '/runs/$id' | '/folders/$id' {
  return kind !== 'agent' && place === 'database' ? '/runs/$id' : '/folders/$id';
}
