import { useQuery } from '@tanstack/react-query';
import { datasetsQuery, providersQuery, type Run, tagsQuery } from '../api/queries.ts';
import { type Option, SelectField, TextField } from '../ui/field.tsx';
import { Filters } from '../ui/filters.tsx';
import { RUN_ORDERS, RUN_STATUSES, type RunsSearch, SCORING_STATUSES, SURFACES } from './runs-search.ts';

export interface RunFiltersProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
  /** Those shown: providers of captures are in no list, and are known only from here. */
  runs: readonly Run[];
}

const SURFACE_NAMES = { api: 'API', browser: 'Browser' };

export function RunFilters({ search, onChange, runs }: RunFiltersProps) {
  const datasets = useQuery(datasetsQuery()).data?.datasets ?? [];
  const providers = useQuery(providersQuery()).data?.providers ?? [];
  const tags = useQuery(tagsQuery()).data?.tags ?? [];
  const seen = new Map([...providers, ...runs.map(({ provider }) => provider)].map(({ id, name }) => [id, name]));
  if (search.provider && !seen.has(search.provider)) seen.set(search.provider, 'This provider');
  const change = (key: keyof RunsSearch, value: string) => {
    const { [key]: _, ...rest } = search;
    onChange(value === '' ? (rest as RunsSearch) : { ...search, [key]: value });
  };
  const select = (key: keyof RunsSearch, label: string, all: string, options: readonly Option<string>[]) => (
    <SelectField
      label={label}
      value={search[key] ?? ''}
      options={[{ value: '', name: all }, ...options]}
      onChange={(value) => change(key, value)}
    />
  );
  const words = (values: readonly string[]) => values.map((value) => ({ value, name: value }));
  return (
    <Filters label="Filter the runs" active={Object.keys(search).length}>
      <TextField
        label="Search"
        type="search"
        placeholder="Label, tag, model, …"
        value={search.text ?? ''}
        onChange={(value) => change('text', value)}
      />
      {select(
        'dataset',
        'Dataset',
        'All datasets',
        datasets.map(({ id, name }) => ({ value: id, name })),
      )}
      {select(
        'provider',
        'Provider',
        'All providers',
        [...seen].map(([value, name]) => ({ value, name })),
      )}
      {(tags.length > 0 || search.tag !== undefined) &&
        select('tag', 'Tag', 'Any tag', words([...new Set([...tags.map(({ tag }) => tag), search.tag ?? []].flat())]))}
      {select(
        'surface',
        'Surface',
        'All surfaces',
        SURFACES.map((value) => ({ value, name: SURFACE_NAMES[value] })),
      )}
      {select('status', 'Status', 'Any status', words(RUN_STATUSES))}
      {select('scoring', 'Scoring', 'Any scoring', words(SCORING_STATUSES))}
      {select(
        'sort',
        'Order',
        'Newest first',
        Object.entries(RUN_ORDERS).map(([value, { name }]) => ({ value, name })),
      )}
    </Filters>
  );
}
