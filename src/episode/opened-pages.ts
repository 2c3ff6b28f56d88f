/** Pages that a contract reads once the attempt has ended (`page_url`): each is opened once, whichever lanes are looked at. */
import type { Facts, FactsNeeded, PageFacts } from '../contracts/index.ts';
import { messageOf } from '../errors/index.ts';
import { ATTEMPT_LIMITS } from './limits.ts';
import type { ServerUnderTest } from './under-test.ts';

export interface OpenedPagesContext {
  readonly needed: FactsNeeded['pages'];
  /** Paths are relative to it. */
  readonly startUrl: string;
  readonly server: Pick<ServerUnderTest, 'witness' | 'isBrowserAlive'>;
  /** From outside: Ctrl-C. */
  readonly signal: AbortSignal | undefined;
}

export class OpenedPages {
  readonly #context: OpenedPagesContext;
  #reading: Promise<NonNullable<Facts['pages']>> | undefined;
  #problem: string | undefined;

  constructor(context: OpenedPagesContext) {
    this.#context = context;
  }

  /** Why a page could not be opened. Then nothing is known of what the agent has done there. */
  get problem(): string | undefined {
    return this.#problem;
  }

  read(): Promise<NonNullable<Facts['pages']>> {
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async #readAll(): Promise<NonNullable<Facts['pages']>> {
    const pages: [string, PageFacts][] = [];
    for (const needed of this.#context.needed) {
      const facts = await this.#readOne(needed);
      this.#problem ??= facts.unavailable?.['dom'];
      pages.push([needed.url, facts]);
    }
    return Object.fromEntries(pages);
  }

  async #readOne({ url, ...needed }: FactsNeeded['pages'][number]): Promise<PageFacts> {
    const { server, startUrl, signal } = this.#context;
    if (!server.isBrowserAlive()) return { unavailable: { dom: 'The browser had ended.' } };
    const address = URL.parse(url, startUrl)?.href ?? url;
    const time = AbortSignal.timeout(ATTEMPT_LIMITS.stateMs);
    try {
      return await server.witness.readPage(address, needed, signal ? AbortSignal.any([signal, time]) : time);
    } catch (error) {
      return { unavailable: { dom: `${address} could not be opened: ${messageOf(error)}` } };
    }
  }
}
