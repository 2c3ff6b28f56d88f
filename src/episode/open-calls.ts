/** The calls of an attempt that have been sent and not been answered yet. */
import { WaymarkError } from '../errors/index.ts';

export interface SentCall {
  tool: string;
  /** It waits for something, as long as the agent wants: that there is no answer yet says nothing of the server. */
  isWait: boolean;
  /** Whether its server answers a ping within this time. */
  ping(timeoutMs: number): Promise<boolean>;
}

interface OpenCall extends SentCall {
  sentAt: number;
  answered: Promise<true>;
}

export class OpenCalls {
  readonly #open = new Set<OpenCall>();

  /** Returns the function that says that the answer has come, or that none will. */
  add(call: SentCall): () => void {
    const { promise, resolve } = Promise.withResolvers<true>();
    const open: OpenCall = { ...call, sentAt: performance.now(), answered: promise };
    this.#open.add(open);
    return () => {
      this.#open.delete(open);
      resolve(true);
    };
  }

  /** The fault of the first server that leaves a call unanswered for this long; undefined as soon as there is none. */
  async fault(limitMs: number): Promise<WaymarkError | undefined> {
    const { promise: expired, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), limitMs);
    try {
      for (const call of [...this.#open]) {
        const alive = call.isWait ? [call.ping(limitMs)] : [];
        if (!(await Promise.race([call.answered, ...alive, expired]))) return unanswered(call);
      }
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

function unanswered({ tool, sentAt }: OpenCall): WaymarkError {
  const ms = Math.round(performance.now() - sentAt);
  const message = `The time of the task was used up, and the tool ${tool} had not answered for ${ms} ms.`;
  return new WaymarkError({ code: 'tool_timeout', message });
}
