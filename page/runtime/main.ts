/** The bundle's entry. The build wraps it into a function of one argument, the pack. */
import { start } from './start.ts';

declare const __WAYMARK_PACK__: unknown;

start(__WAYMARK_PACK__);
