/** Placeholders in the command of an external agent. Arguments are never joined into one string for a shell. */

export const PLACEHOLDERS = ['goal', 'goalFile', 'mcpUrl', 'mcpToken', 'mcpConfig', 'taskId', 'workdir'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
export type PlaceholderValues = Readonly<Record<Placeholder, string>>;

const PATTERN = new RegExp(`\\{(${PLACEHOLDERS.join('|')})\\}`, 'g');

/**
 * Each argument with the values put in, once: what a value contains is not looked at again.
 *
 * @example
 * fillPlaceholders(['agent', '--task={taskId}', '{goal}'], values) // ['agent', '--task=buy-tea', 'Buy the tea.']
 */
export function fillPlaceholders(command: readonly string[], values: PlaceholderValues): string[] {
  return command.map((argument) => argument.replaceAll(PATTERN, (_, name: Placeholder) => values[name]));
}
