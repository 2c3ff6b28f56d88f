/** The agent of two roles: an orchestrator that plans and has no browser, and executors that each have a lane. */
import type { Agent, AgentOutcome, Session } from '../../episode/index.ts';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { CallFailure, type OpenedModel, toolSet } from '../../models/index.ts';
import type { ServerProfile } from '../../tools/index.ts';
import { Conversation } from '../model/conversation.ts';
import { goalText } from '../model/goal-text.ts';
import { modelName } from '../model/model-name.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import { modelTurn } from '../model/model-turn.ts';
import { type CallOfModel, MAX_BAD_REPLIES, readReply } from '../model/read-reply.ts';
import type { ShownResult } from '../model/shown-result.ts';
import type { DelegationResult } from './executor.ts';
import { ExecutorStore } from './executor-store.ts';
import {
  completeInput,
  delegateInput,
  failInput,
  ORCHESTRATOR_INSTRUCTIONS,
  ORCHESTRATOR_TOOLS,
} from './orchestrator-tools.ts';

export interface OrchestratorLimits {
  /** Turns of the orchestrator. */
  readonly turns: number;
  /** Of one delegation, where the orchestrator does not ask for fewer. */
  readonly delegationSteps: number;
  readonly delegationMs: number;
}

const ORCHESTRATOR_LIMITS: OrchestratorLimits = { turns: 20, delegationSteps: 20, delegationMs: 180_000 };

export interface OrchestratorOptions {
  readonly orchestrator: OpenedModel;
  readonly executor: OpenedModel;
  readonly profile: ServerProfile;
  readonly settings: ModelSettings;
  readonly limits?: Partial<OrchestratorLimits> | undefined;
}

/** @example runEpisode(task, orchestratorExecutor({ orchestrator, executor, profile, settings }), server, options) */
export function orchestratorExecutor(options: OrchestratorOptions): Agent {
  const { orchestrator, executor, profile, settings } = options;
  const limits = { ...ORCHESTRATOR_LIMITS, ...options.limits };
  return {
    kind: 'orchestrator-executor',
    config: { orchestratorModel: modelName(orchestrator), executorModel: modelName(executor), ...settings, ...limits },
    run: (session) => {
      const maxMs = limits.delegationMs;
      const executors = new ExecutorStore(session, { model: executor, profile, settings, maxMs });
      return new Orchestration({ session, model: orchestrator, executors, settings, limits }).run();
    },
  };
}

interface OrchestrationOptions {
  readonly session: Session;
  readonly model: OpenedModel;
  readonly executors: ExecutorStore;
  readonly settings: ModelSettings;
  readonly limits: OrchestratorLimits;
}

class Orchestration {
  readonly #options: OrchestrationOptions;
  readonly #conversation = new Conversation();

  constructor(options: OrchestrationOptions) {
    this.#options = options;
  }

  async run(): Promise<AgentOutcome> {
    const { session, model, settings, limits } = this.#options;
    const goal = goalText(session.task);
    session.say({ type: 'user', content: goal });
    this.#conversation.addUser(goal);
    const { set: tools } = await toolSet(ORCHESTRATOR_TOOLS);
    const base = { instructions: ORCHESTRATOR_INSTRUCTIONS, tools, temperature: settings.temperature };
    const thinker = { role: 'orchestrator' } as const;
    for (let turn = 1, bad = 0; turn <= limits.turns; turn++) {
      session.signal.throwIfAborted();
      this.#conversation.fitInto(settings.contextTokens);
      const request = { ...base, messages: this.#conversation.messages };
      const { signal } = session;
      const reply = await modelTurn(request, { thinker, model, session, signal, turn }).catch(asAgentFailure);
      if ('note' in reply) return reply;
      this.#conversation.addReply(reply.responseMessages, reply.usage);
      if (reply.text.trim() !== '') session.say({ type: 'assistant', content: reply.text });
      const { calls, problem, error } = readReply(reply);
      if (error) session.say({ type: 'error', ...error });
      // An orchestrator that answers without a call is done, as every agent is.
      if (calls.length === 0 && problem === undefined) return { answer: reply.text };
      bad = problem === undefined ? 0 : bad + 1;
      if (problem !== undefined && bad >= MAX_BAD_REPLIES)
        return {
          note: `${MAX_BAD_REPLIES} replies of the orchestrator in a row could not be used. The last: ${problem}`,
        };
      const end = calls.map(endOf).find((ending) => ending !== undefined);
      if (end) {
        if (end.answer !== undefined) session.say({ type: 'assistant', content: end.answer });
        return end;
      }
      this.#conversation.addResults(await this.#delegateAll(calls));
      if (problem !== undefined && reply.toolCalls.length === 0) this.#conversation.addUser(problem);
    }
    return { exhausted: `All ${limits.turns} turns of the orchestrator were used` };
  }

  /** At the same time; those of one executor one after the other. All have settled when one of them throws. */
  async #delegateAll(calls: readonly CallOfModel[]): Promise<ShownResult[]> {
    const settled = await Promise.allSettled(calls.map((call) => this.#delegate(call)));
    return settled.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  async #delegate({ toolCallId, toolName, input }: CallOfModel): Promise<ShownResult> {
    const { executors, limits } = this.#options;
    const { instruction, executorId, maxSteps = limits.delegationSteps } = delegateInput.parse(input);
    const shown = (text: string, isError = false): ShownResult => ({
      toolCallId,
      toolName,
      text,
      isError,
      pictures: [],
    });
    try {
      const executor = await executors.get(executorId);
      return shown(reportText(await executor.work({ instruction, maxSteps })));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const known = executors.ids.join(', ');
      return shown(`Error: ${messageOf(error)} Executors that there are: ${known === '' ? 'none' : known}.`, true);
    }
  }
}

/** Another executor can't be had; the orchestrator can go on with those that it has. */
function isRefusal(error: unknown): boolean {
  return error instanceof WaymarkError && (error.code === 'executor_limit' || error.code === 'executor_unsupported');
}

function reportText({ executorId, status, summary, stepsUsed }: DelegationResult): string {
  return `Executor ${executorId}, ${status}, ${stepsUsed} steps:\n${summary}`;
}

/** A conversation that does not fit, or that the provider's filter refuses, is the agent's failure. */
function asAgentFailure(error: unknown): { note: string } {
  if (error instanceof CallFailure && error.fault === 'agent') return { note: error.message };
  throw error;
}

function endOf({ toolName, input }: CallOfModel): AgentOutcome | undefined {
  if (toolName === 'complete') return { answer: completeInput.parse(input).answer };
  if (toolName === 'fail') return { note: `The orchestrator gave up: ${failInput.parse(input).reason}` };
  return undefined;
}
