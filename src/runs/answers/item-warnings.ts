/** What people should know about the items that they chose, before anything is asked. */
import type { Item } from '../../cases/index.ts';
import { scoringMethod } from '../../cases/index.ts';
import type { Warning } from '../../errors/index.ts';
import type { Purpose } from './select-items.ts';

export function itemWarnings(
  items: readonly Item[],
  { what, done }: Purpose,
  about: { excluded: number; beyondMax: number; judgeUnused: boolean },
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string, ids: readonly string[] = []): void => {
    warnings.push({ code, message, ...(ids.length > 0 ? { item_ids: ids } : {}) });
  };
  if (about.excluded > 0)
    warn('items_excluded', `${about.excluded} items of the scope can't be ${done} and are left out.`);
  if (about.beyondMax > 0)
    warn('max_items', `${about.beyondMax} more items are in the scope; max_items leaves them out.`);
  if (about.judgeUnused) warn('judge_unused', `A judge is chosen, and no item of this ${what} needs one.`);
  const unscorable = items.filter((item) => scoringMethod(item) === 'unscorable').map(({ id }) => id);
  if (unscorable.length > 0) {
    warn(
      'unscorable',
      `${unscorable.length} items have neither answer nor criteria: they are ${done}, not scored.`,
      unscorable,
    );
  }
  const blind = items.filter(hidesItsChoices).map(({ id }) => id);
  if (blind.length > 0) {
    warn('choices_not_in_prompt', `${blind.length} prompts don't show the options that they ask about.`, blind);
  }
  return warnings;
}

/** Prompts are sent as they are: options that are not written in one are never seen. */
function hidesItsChoices({ choices, prompt_text }: Item): boolean {
  return choices?.some((choice) => !prompt_text.includes(choice)) ?? false;
}
