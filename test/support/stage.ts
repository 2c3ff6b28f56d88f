/** An episode on the embedded tools, with an agent made up by the test. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseTask, type TaskInput } from '../../src/cases/index.ts';
import type { Slot } from '../../src/chromium/index.ts';
import {
  type Agent,
  type AgentOutcome,
  type RunEpisodeOptions,
  runEpisode,
  type ServerUnderTest,
  type Session,
  type Stop,
  serverUnderTest,
  type ToolCall,
} from '../../src/episode/index.ts';
import type { EventOf, JournalEvent } from '../../src/events/index.ts';
import { type EpisodeResult, episodeResult } from '../../src/events/index.ts';
import { readEvents } from '../../src/runs/index.ts';
import {
  type AttachedServer,
  attachServer,
  profileOf,
  type ServerChoice,
  type ToolResult,
} from '../../src/tools/index.ts';
import type { Lab } from './lab.ts';

export interface Played {
  stop: Stop;
  events: JournalEvent[];
  result: EpisodeResult;
  folder: string;
  of<T extends JournalEvent['type']>(type: T): EventOf<T>[];
}

export interface PlayOptions extends Partial<RunEpisodeOptions> {
  server?: string | ServerChoice;
  /** Before the episode begins, with the place that it will run in. */
  before?: (slot: Slot, attached: AttachedServer) => void | Promise<void>;
  change?: (server: ServerUnderTest) => ServerUnderTest;
  /** After it has ended, while its place is still there. */
  after?: (played: Played) => Promise<void>;
}

/** A call, or the end. */
export type TestMove = ToolCall | ({ done: true } & AgentOutcome);

export interface TestTurn {
  session: Session;
  /** The result of the call before. */
  last: ToolResult | undefined;
}

/** An agent that does what the function does, and answers nothing. */
export function agent(run: (session: Session) => Promise<unknown>): Agent {
  return {
    kind: 'test',
    run: async (session) => {
      await run(session);
      return {};
    },
  };
}

/** Moves one after the other until the attempt has ended; a function is asked when its turn comes. */
export function moves(...list: (TestMove | ((turn: TestTurn) => TestMove | Promise<TestMove>))[]): Agent {
  return {
    kind: 'test',
    run: async (session) => {
      let last: ToolResult | undefined;
      for (const each of list) {
        if (session.signal.aborted) break;
        const move = typeof each === 'function' ? await each({ session, last }) : each;
        if ('done' in move) {
          const { done: _, ...outcome } = move;
          return outcome;
        }
        last = await session.step(move);
      }
      return {};
    },
  };
}

/** A contract that no page fulfils. */
export const NEVER = { kind: 'dom_text', selector: 'body', contains: 'never to be seen' } as const;

export const read: ToolCall = { tool: 'read_page' };
export const click = (selector: string): ToolCall => ({ tool: 'interact', arguments: { action: 'click', selector } });

export function task(lab: Lab, pagePath: string, changes: Partial<TaskInput> = {}): TaskInput {
  return {
    id: 'test-task',
    title: 'A task of a test',
    startUrl: pagePath.startsWith('http') ? pagePath : lab.server.origin + pagePath,
    goal: 'Do it.',
    success: { kind: 'dom_text', selector: '#result', contains: 'Arrived.' },
    ...changes,
  };
}

export async function play(lab: Lab, input: TaskInput, agent: Agent, options: PlayOptions = {}): Promise<Played> {
  const parsed = parseTask(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { slot, proof } = await lab.pool.acquire();
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-episode-'));
  const attached = await attachServer(profileOf(options.server ?? 'embedded'), slot);
  const { server: _server, before, change, after, ...rest } = options;
  try {
    await before?.(slot, attached);
    const server = serverUnderTest(attached, slot, 'context');
    const stop = await runEpisode(parsed.task, agent, change?.(server) ?? server, {
      runId: 'run-of-a-test',
      folder,
      environment: { waymark: '0', node: process.version, platform: process.platform },
      reset: { ok: proof.clean, findings: proof.findings, durationMs: 0 },
      ...rest,
    });
    const events = await readEvents(path.join(folder, 'events.jsonl'));
    const result = episodeResult(events, { artifacts: { eventsJsonl: 'events.jsonl', reportJson: 'report.json' } });
    const of = <T extends JournalEvent['type']>(type: T): EventOf<T>[] =>
      events.filter((event): event is EventOf<T> => event.type === type);
    const played = { stop, events, result, folder, of };
    await after?.(played);
    return played;
  } finally {
    await attached.dispose();
    await slot.release().catch(() => {});
  }
}
