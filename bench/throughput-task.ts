/** The episode that all of them do: the form, in five steps, with a picture after each. */
export const FORM = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  plan: 'standard',
  planLabel: 'Standard',
  done: /\/form\/done/,
} as const;
