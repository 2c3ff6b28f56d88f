import { given, textOf } from '../ui/search.ts';

export const compareSearch = (search: Record<string, unknown>) =>
  given({ a: textOf(search['a']), b: textOf(search['b']) });
