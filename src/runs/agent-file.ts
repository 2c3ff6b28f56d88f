/** An agent in a file of the user's: `--agent ./my-agent.ts`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from '../episode/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { type AgentChoice, choiceOf } from './agent-choice.ts';
import { hashOf } from './run-inputs.ts';

export function isAgentFile(name: string): boolean {
  return /\.(?:ts|mts|js|mjs)$/.test(name);
}

/** Its default export, or the export `agent`. */
export async function loadAgentFile(file: string): Promise<AgentChoice> {
  const full = path.resolve(file);
  const agent = agentIn(await load(full, file));
  if (!agent) {
    throw bad(
      `${file} does not export an agent: an object with a kind and a function run(session).`,
      "For example: export default defineAgent({ kind: 'mine', async run(session) { … } });",
    );
  }
  if (!areNames(agent.keyVariables ?? [])) {
    throw bad(
      `The keyVariables of the agent in ${file} must be a list of names of environment variables.`,
      "For example: keyVariables: ['OPENAI_API_KEY']",
    );
  }
  // Another version of the file is another agent: a run is not resumed with it.
  const source = hashOf(readFileSync(full, 'utf8'));
  return { ...choiceOf(agent), config: { file: path.basename(file), source, ...configOf(agent) } };
}

async function load(full: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(full).href);
  } catch (cause) {
    throw bad(`The agent ${file} can't be loaded: ${messageOf(cause)}`, 'See docs/how-to/write-an-agent.md.', cause);
  }
}

function agentIn({ default: byDefault, agent }: Readonly<Record<string, unknown>>): Agent | undefined {
  return [byDefault, agent].find(isAgent);
}

function isAgent(value: unknown): value is Agent {
  const { kind, run } = Object(value);
  return typeof kind === 'string' && kind !== '' && typeof run === 'function';
}

function areNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && /^[^\s=]+$/.test(name));
}

function configOf({ config }: Agent): { config?: unknown } {
  return config === undefined ? {} : { config };
}

function bad(message: string, hint: string, cause?: unknown): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_agent', message, hint, ...(cause === undefined ? {} : { cause }) });
}
