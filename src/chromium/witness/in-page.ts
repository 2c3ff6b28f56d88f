/// <reference lib="dom" />
/**
 * The part of the witness that runs in every document, in its own isolated world, which the page can't see or change.
 * One request returns the URL, the title, the digests, the regions and the requested leaves of the contract.
 */
import { type Dom, makeDom } from '../in-page-dom.ts';
import type { FrameAnswer, FrameRequest } from './frame-report.ts';
import { type Attention, watchAttention } from './in-page-attention.ts';
import { holdCaret } from './in-page-caret.ts';
import { type Digests, makeDigests } from './in-page-digests.ts';
import { readLeaves } from './in-page-leaves.ts';

export const WITNESS_WORLD = 'waymark-witness';

/** Its source text is sent to the page, so everything that it uses is passed as an argument. */
function installWitness(
  domOf: () => Dom,
  digestsOf: (dom: Dom) => Digests,
  read: typeof readLeaves,
  watch: () => () => Attention,
  hold: () => void,
): void {
  const home = globalThis as unknown as {
    waymark?: {
      observe(request: FrameRequest): FrameAnswer;
      observePainted(request: FrameRequest): Promise<FrameAnswer>;
      changed(pausesMs: readonly number[]): Promise<boolean>;
    };
  };
  /** A page that is not drawn is not painted either. */
  const PAINT_MS = 250;
  // Its own property only, because an element with this id is a property of the window, too.
  if (Object.hasOwn(home, 'waymark')) return;
  const dom = domOf();
  const digests = digestsOf(dom);
  const attention = watch();
  /** The number of looks so far, and the digest that the last one has reported. */
  let looks = 0;
  let reported = '';

  function sessionEntries(): number {
    try {
      return document.URL === 'about:blank' ? 0 : sessionStorage.length;
    } catch {
      // A page without an origin has no session storage, and access to it throws.
      return 0;
    }
  }

  home.waymark = {
    observe(request) {
      digests.refresh(request.full === true);
      const whole = digests.whole();
      const report: FrameAnswer = {
        version: digests.version(),
        url: document.URL,
        title: document.title,
        readyState: document.readyState,
        ...whole,
        windowName: window.name,
        sessionStorage: sessionEntries(),
        historyLength: history.length,
        ...(request.known === whole.dom ? {} : { regions: digests.regions() }),
        attention: attention(),
        canvases: Document.prototype.getElementsByTagName.call(document, 'canvas').length,
        domText: {},
        domValue: {},
        domCount: {},
        problems: {},
      };
      read(request, report, dom);
      looks++;
      reported = report.dom;
      return report;
    },
    async observePainted(request) {
      // What an action has set off is drawn in the next frame, and the frame after it shows that it was.
      await new Promise<void>((resolve) => {
        setTimeout(resolve, PAINT_MS);
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      });
      return this.observe(request);
    },
    /** Checks after each pause whether the document is still as the last look has reported it. A further look ends it. */
    async changed(pausesMs) {
      const before = looks;
      for (const pauseMs of pausesMs) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (looks !== before) return false;
        digests.refresh(false);
        if (digests.whole().dom !== reported) return true;
      }
      return false;
    },
  };
  hold();
}

export const WITNESS_SOURCE = `(${installWitness.toString()})(${[makeDom, makeDigests, readLeaves, watchAttention, holdCaret].join(', ')})`;
