/**
 * The pseudo-classes that Chromium's `querySelector` supports (tried one by one in Chromium 156).
 * Others are refused: the browser throws on them, and `:contains()` or `:visible` from other tools would never match.
 */

export const PLAIN: ReadonlySet<string> = new Set(
  (
    'active active-view-transition any-link autofill checked current default defined disabled empty enabled first-child ' +
    'first-of-type focus focus-visible focus-within fullscreen future host hover in-range indeterminate interest-source ' +
    'interest-target invalid last-child last-of-type link modal only-child only-of-type open optional out-of-range past ' +
    'picture-in-picture placeholder-shown popover-open read-only read-write required root scope target target-after ' +
    'target-before target-current user-invalid user-valid valid visited xr-overlay ' +
    '-webkit-any-link -webkit-autofill -webkit-full-screen -webkit-full-page-media -webkit-drag'
  ).split(' '),
);

/** The kind of argument in the parentheses. */
export type Argument = 'list' | 'relative' | 'compound' | 'nth' | 'nth-of' | 'name' | 'names' | 'direction';

export const WITH_ARGUMENT: ReadonlyMap<string, Argument> = new Map([
  ['is', 'list'],
  ['where', 'list'],
  ['not', 'list'],
  ['-webkit-any', 'list'],
  ['has', 'relative'],
  ['host', 'compound'],
  ['host-context', 'compound'],
  ['nth-child', 'nth-of'],
  ['nth-last-child', 'nth-of'],
  ['nth-of-type', 'nth'],
  ['nth-last-of-type', 'nth'],
  ['lang', 'name'],
  ['state', 'name'],
  ['active-view-transition-type', 'names'],
  ['dir', 'direction'],
]);

/** Pseudo-elements that may be written with one colon. */
export const OLD_PSEUDO_ELEMENTS: ReadonlySet<string> = new Set(['before', 'after', 'first-line', 'first-letter']);
