import type { SessionTask } from '../../episode/index.ts';

/** What an agent is told of its task: neither the contract nor a way to fulfil it. */
export function goalText({ goal, startUrl, secrets = [] }: SessionTask): string {
  const lines = [`Goal: ${goal}`, `The browser shows the start page: ${startUrl}`];
  if (secrets.length > 0) {
    const names = secrets.map((name) => `{{secret:${name}}}`).join(', ');
    lines.push(
      `Secret values are not shown to you. Write these in the arguments of a call, and they are filled in: ${names}`,
    );
  }
  return lines.join('\n');
}
