/**
 * One document with the tools' script in it. A place ends with its document; the next document of the same frame is
 * another place with other letters, so that a ref never changes its meaning.
 */

import type { Protocol, Session } from '../../chromium/index.ts';
import { messageOf } from '../../errors/index.ts';
import { ToolFailure } from './failure.ts';
import type { InputCalls } from './in-page/input-actions.ts';
import { actionsSource } from './in-page/source.ts';

/** The document was navigated or its frame was removed before it could answer. */
export class PlaceGone extends Error {}

export type Asked<M extends keyof InputCalls> = Parameters<InputCalls[M]>[0];
export type Answer<M extends keyof InputCalls> = Awaited<ReturnType<InputCalls[M]>>;

export interface PlaceOptions {
  letters: string;
  session: Session;
  /** The page's own session, where its dialogs are announced. */
  page: Session;
  frameId: string;
  /** The execution context of the isolated world. */
  contextId: string;
  /** The place whose frame shows this one, and the number of the frame element there. */
  parent?: { place: Place; number: number } | undefined;
}

export class Place {
  readonly letters: string;
  readonly session: Session;
  readonly frameId: string;
  readonly parent: PlaceOptions['parent'];
  /** Foreign frames by the numbers of their elements. */
  readonly frameIds = new Map<number, string>();
  readonly #page: Session;
  readonly #contextId: string;
  #installed = false;
  #gone = false;

  constructor(options: PlaceOptions) {
    this.letters = options.letters;
    this.session = options.session;
    this.frameId = options.frameId;
    this.parent = options.parent;
    this.#page = options.page;
    this.#contextId = options.contextId;
  }

  get isGone(): boolean {
    return this.#gone || !this.session.isAttached || this.parent?.place.isGone === true;
  }

  /** For the tab: marks the world as ended. */
  end(): void {
    this.#gone = true;
  }

  ref(number: number): string {
    return `${this.letters}${number}`;
  }

  /** Calls the script in the document. Throws `PlaceGone` when the document is gone, and `dialog_open` when a dialog blocks it. */
  async ask<M extends keyof InputCalls>(method: M, request: Asked<M>, signal: AbortSignal): Promise<Answer<M>> {
    const { result } = await this.#evaluate(`waymarkActions.${method}(${JSON.stringify(request)})`, true, signal);
    return result.value as Answer<M>;
  }

  /** The browser's handle of an element, or undefined when it is stale. */
  async handle(number: number, signal: AbortSignal): Promise<string | undefined> {
    const { result } = await this.#evaluate(`waymarkActions.element(${number})`, false, signal);
    return result.objectId;
  }

  async #evaluate(call: string, byValue: boolean, signal: AbortSignal): Promise<Protocol.Runtime.EvaluateResponse> {
    if (this.isGone) throw new PlaceGone();
    const expression = this.#installed ? call : `${actionsSource(this.letters)}\n${call}`;
    const dialog = Promise.withResolvers<never>();
    const stop = this.#page.on('Page.javascriptDialogOpening', ({ type, message }) =>
      dialog.reject(dialogOpen(type, message)),
    );
    try {
      const response = await Promise.race([
        this.session.send(
          'Runtime.evaluate',
          { expression, uniqueContextId: this.#contextId, returnByValue: byValue, awaitPromise: true },
          { signal, timeoutMs: LONG_MS },
        ),
        dialog.promise,
      ]);
      if (response.exceptionDetails) throw new ToolFailure('refused', scriptFault(response.exceptionDetails));
      this.#installed = true;
      return response;
    } catch (error) {
      if (GONE.test(messageOf(error))) throw new PlaceGone();
      throw error;
    } finally {
      stop();
    }
  }
}

/** The call's signal sets the deadline. This is only an upper bound. */
const LONG_MS = 120_000;
const GONE =
  /Cannot find context|context was destroyed|uniqueContextId not found|navigated or closed|Promise was collected|No frame/i;

export function dialogOpen(type: string, message: string): ToolFailure {
  return new ToolFailure('dialog_open', `A dialog of the page is open (${type}: "${message}").`);
}

function scriptFault({ exception, text }: Protocol.Runtime.ExceptionDetails): string {
  return `The page could not be asked: ${exception?.description?.split('\n')[0] ?? text}.`;
}
