/** What a model says that has done nothing. */
export function claimOf(goal: string | undefined): string {
  return goal === undefined
    ? 'Everything is done as you asked, and the page confirms it.'
    : `Done, and the page confirms it: ${goal}`;
}
