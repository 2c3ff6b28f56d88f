import { given, textOf } from '../ui/search.ts';

export const datasetSearch = (search: Record<string, unknown>) => given({ section: textOf(search['section']) });
