/** Datasets and providers of a Waymark server, as people name them. */
import { WaymarkError } from '../errors/index.ts';
import type { HarnessApi } from './harness-api.ts';

/** By id, or by a name that only one of them has. */
export async function idOf(api: HarnessApi, what: 'datasets' | 'providers', text: string): Promise<string> {
  const all =
    what === 'datasets'
      ? (await api.call('get', '/datasets', { query: { limit: 500 } })).datasets
      : (await api.call('get', '/providers')).providers;
  const fits = all.filter(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase());
  const [only] = fits;
  if (only && fits.length === 1) return only.id;
  const one = what === 'datasets' ? 'dataset' : 'API provider';
  throw new WaymarkError({
    code: what === 'datasets' ? 'usage_dataset' : 'usage_provider',
    message: fits.length === 0 ? `There is no ${one} ${text}.` : `${fits.length} of the ${one}s are called ${text}.`,
    hint:
      fits.length === 0
        ? `There are: ${all.map(({ name }) => name).join(', ') || 'none'}.`
        : `Give the id: ${fits.map(({ id }) => id).join(', ')}.`,
  });
}
