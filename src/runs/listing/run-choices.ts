/** What the list of all runs can be filtered by. */
import { schema } from '../../store/index.ts';
import { folderRuns, type RunPlaces } from './list-any-runs.ts';
import { storedTaskNames } from './stored-runs.ts';

const { dataset, provider } = schema;

export interface RunChoices {
  /** Suites by their name, and datasets by their id. */
  suites: Choice[];
  /** Variants by their name, and providers by their id. */
  variants: Choice[];
  experiments: string[];
}

interface Choice {
  value: string;
  name: string;
}

export async function runChoices(places: RunPlaces): Promise<RunChoices> {
  const { db } = places;
  const named = (table: typeof dataset | typeof provider) =>
    db.select({ value: table.id, name: table.name }).from(table);
  const [stored, datasets, providers, folders] = await Promise.all([
    storedTaskNames(db),
    named(dataset),
    named(provider),
    folderRuns(places),
  ]);
  const suites = [...stored.map(({ suite }) => suite), ...folders.map(({ suite }) => suite.name)];
  const variants = [...stored.map(({ variant }) => variant), ...folders.map(({ variant }) => variant.name)];
  const experiments = [...stored, ...folders].map(({ experiment }) => experiment ?? '');
  return {
    suites: sorted([...datasets, ...distinct(suites)]),
    variants: sorted([...providers, ...distinct(variants)]),
    experiments: sorted(distinct(experiments)).map(({ value }) => value),
  };
}

function distinct(names: readonly string[]): Choice[] {
  return [...new Set(names)].filter((name) => name !== '').map((name) => ({ value: name, name }));
}

function sorted(choices: readonly Choice[]): Choice[] {
  return choices.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
