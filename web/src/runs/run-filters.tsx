import { useQuery } from '@tanstack/react-query';
import { runChoicesQuery, tagsQuery } from '../api/queries.ts';
import { type Option, SelectField, TextField } from '../ui/field.tsx';
import { Filters } from '../ui/filters.tsx';
import { RUN_KINDS, RUN_ORDERS, RUN_STATES, type RunsSearch, SCORING_STATUSES } from './runs-search.ts';

export interface RunFiltersProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
}

const KIND_NAMES = { model: 'Models behind an API', capture: 'Captured chat pages', agent: 'Agents in browsers' };

export function RunFilters({ search, onChange }: RunFiltersProps) {
  const choices = useQuery(runChoicesQuery()).data;
  const tags = useQuery(tagsQuery()).data?.tags ?? [];
  const change = (key: keyof RunsSearch, value: string) => {
    const { [key]: _, ...rest } = search;
    onChange(value === '' ? (rest as RunsSearch) : { ...search, [key]: value });
  };
  const select = (key: keyof RunsSearch, label: string, all: string, options: readonly Option<string>[]) => {
    const value = search[key] ?? '';
    // What the address names may be gone.
    const own = value === '' || options.some((one) => one.value === value) ? [] : [{ value, name: value }];
    return (
      <SelectField
        label={label}
        value={value}
        options={[{ value: '', name: all }, ...own, ...options]}
        onChange={(next) => change(key, next)}
      />
    );
  };
  const words = (values: readonly string[]) => values.map((value) => ({ value, name: value }));
  const ifAny = (key: keyof RunsSearch, label: string, all: string, values: readonly string[]) =>
    (values.length > 0 || search[key] !== undefined) && select(key, label, all, words(values));
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
        'kind',
        'Kind',
        'All kinds',
        RUN_KINDS.map((value) => ({ value, name: KIND_NAMES[value] })),
      )}
      {select('suite', 'Suite or dataset', 'All suites and datasets', choices?.suites ?? [])}
      {select('variant', 'Agent or provider', 'All agents and providers', choices?.variants ?? [])}
      {ifAny('experiment', 'Experiment', 'Any experiment', choices?.experiments ?? [])}
      {ifAny(
        'tag',
        'Tag',
        'Any tag',
        tags.map(({ tag }) => tag),
      )}
      {select('state', 'State', 'Any state', words(RUN_STATES))}
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
