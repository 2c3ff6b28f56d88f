/** Functions of the user's that watch an agent at work. They listen to the journal: what they return is ignored, and they can't stop the agent. */
import { messageOf } from '../errors/index.ts';
import type { EventOf, JournalEvent, Message } from '../events/index.ts';

type DelegationResult = Omit<Extract<Message, { type: 'delegation_result' }>, 'type'>;

/**
 * @example
 * await run({
 *   tasks: ['tasks/'],
 *   agent,
 *   hooks: { onDelegation: (instruction, executorId) => console.log(`${executorId}: ${instruction}`) },
 * });
 */
export interface AgentHooks {
  /** A turn of the orchestrator, or of the model of a single agent. */
  onTurnStart?(turn: number): unknown;
  onTurnComplete?(turn: number): unknown;
  onDelegation?(instruction: string, executorId: string, maxSteps: number | undefined): unknown;
  onDelegationResult?(result: DelegationResult): unknown;
  /** The agent ended with an answer. */
  onComplete?(answer: string): unknown;
  /** The attempt ended without one; the reason is a sentence. */
  onFailed?(reason: string): unknown;
  /** The id is the harness's: results name it. */
  onBeforeToolCall?(tool: string, args: unknown, toolCallId: string): unknown;
  onAfterToolCall?(tool: string, toolCallId: string, result: string, isError: boolean): unknown;
}

/** A hook that has not settled by then is reported. */
const STALL_MS = 5_000;

export class HookListener implements Disposable {
  readonly #hooks: AgentHooks;
  readonly #warn: (message: string) => void;
  readonly #tools = new Map<string, string>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(hooks: AgentHooks, warn: (message: string) => void) {
    this.#hooks = hooks;
    this.#warn = warn;
  }

  on(event: JournalEvent): void {
    const hooks = this.#hooks;
    switch (event.type) {
      case 'turn':
        return this.#onTurn(event);
      case 'message':
        return this.#onMessage(event.message);
      case 'tool_call':
        if (event.by !== 'agent') return;
        this.#tools.set(event.callId, event.tool);
        return this.#call('onBeforeToolCall', () =>
          hooks.onBeforeToolCall?.(event.tool, event.arguments, event.callId),
        );
      case 'tool_result': {
        const tool = this.#tools.get(event.callId);
        if (tool === undefined) return;
        return this.#call('onAfterToolCall', () =>
          hooks.onAfterToolCall?.(tool, event.callId, event.text, event.isError),
        );
      }
      case 'stop':
        if (event.answer === undefined) return this.#call('onFailed', () => hooks.onFailed?.(event.reason));
        return this.#call('onComplete', () => hooks.onComplete?.(event.answer ?? ''));
      default:
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #onTurn({ role, turn, phase }: EventOf<'turn'>): void {
    if (role === 'executor') return;
    if (phase === 'start') this.#call('onTurnStart', () => this.#hooks.onTurnStart?.(turn));
    else this.#call('onTurnComplete', () => this.#hooks.onTurnComplete?.(turn));
  }

  #onMessage(message: Message): void {
    if (message.type === 'delegation') {
      const { instruction, executorId, maxSteps } = message;
      this.#call('onDelegation', () => this.#hooks.onDelegation?.(instruction, executorId, maxSteps));
    } else if (message.type === 'delegation_result') {
      const { type: _, ...result } = message;
      this.#call('onDelegationResult', () => this.#hooks.onDelegationResult?.(result));
    }
  }

  #call(name: keyof AgentHooks, hook: () => unknown): void {
    try {
      const returned = hook();
      if (!(returned instanceof Promise)) return;
      const timer = setTimeout(() => this.#warn(`The hook ${name} has not settled within ${STALL_MS} ms.`), STALL_MS);
      this.#timers.add(timer);
      returned
        .catch((error: unknown) => this.#failed(name, error))
        .finally(() => {
          clearTimeout(timer);
          this.#timers.delete(timer);
        });
    } catch (error) {
      this.#failed(name, error);
    }
  }

  #failed(name: keyof AgentHooks, error: unknown): void {
    this.#warn(`The hook ${name} failed: ${messageOf(error)}`);
  }
}
