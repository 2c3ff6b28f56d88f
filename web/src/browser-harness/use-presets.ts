/** The presets: those of the bundled script, with what the server adds to them. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { presets as bundled, type Preset, type PresetName, type Selectors } from '../../../src/capture/formats.ts';
import { call } from '../api/client.ts';

export interface KnownPreset extends Preset {
  /** A page to try the script on, where the server offers one. */
  readonly fixture?: { url: string; origin: string; selectors?: Partial<Selectors> } | undefined;
}
export type KnownPresets = Readonly<Record<PresetName, KnownPreset>>;

const presetsQuery = queryOptions({
  queryKey: ['browser-harness', 'presets'],
  queryFn: ({ signal }) => call('get', '/browser-harness/presets', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function usePresets(): KnownPresets {
  const { data } = useQuery(presetsQuery);
  const fixtureOf = (name: PresetName) => data?.presets.find((preset) => preset.name === name)?.fixture;
  const known = Object.values(bundled).map((preset) => [preset.name, { ...preset, fixture: fixtureOf(preset.name) }]);
  return Object.fromEntries(known) as KnownPresets;
}
