/** The sites of the benchmark. */
import type { Site } from '../frame/site.ts';
import { calendar } from './calendar/pages.ts';
import { desk } from './desk/pages.ts';
import { mail } from './mail/pages.ts';
import { shop } from './shop/pages.ts';
import { tracker } from './tracker/pages.ts';
import { wiki } from './wiki/pages.ts';

export const SITES: readonly Site[] = [calendar, desk, mail, shop, tracker, wiki];
