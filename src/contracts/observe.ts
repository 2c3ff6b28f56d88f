/** Observes what a contract needs, bounded by a signal. What could not be observed is recorded with the reason. */
import { messageOf } from '../errors/index.ts';
import { type Facts, factsNeeded, readsDom } from './facts.ts';
import { DEADLINE_MS } from './limits.ts';
import type { Contract } from './schema.ts';
import type { Witness } from './witness.ts';

const PROBES = [
  'ts',
  'url',
  'dom',
  'pages',
  'script',
  'network',
  'markers',
  'dialogs',
  'console',
  'performance',
  'screenshot',
  'exemplars',
  'answers',
  'answer',
] as const satisfies readonly (keyof Witness)[];
type ProbeName = (typeof PROBES)[number];

/**
 * Never rejects, and settles as soon as the signal aborts, with the facts that were observed by then.
 *
 * @param signal the default is two seconds from now.
 */
export async function observe(
  contract: Contract,
  witness: Witness,
  signal: AbortSignal = AbortSignal.timeout(DEADLINE_MS),
): Promise<Facts> {
  const needed = factsNeeded(contract);
  const isNeeded = (name: ProbeName) => {
    if (name === 'dom') return readsDom(needed);
    const need = needed[name];
    return typeof need === 'boolean' ? need : need.length > 0;
  };
  const late = whenAborted(signal);
  const facts: Facts = {};
  const unavailable: Record<string, string> = {};

  const ask = async (name: ProbeName) => {
    try {
      const seen = signal.aborted ? LATE : await Promise.race([witness[name]?.(needed, signal), late.promise]);
      if (seen === LATE) unavailable[name] = `The ${name} probe did not answer before the deadline.`;
      else if (name !== 'dom' && name !== 'script')
        Object.assign(facts, seen === undefined ? undefined : { [name]: seen });
      else {
        // These two answer for several facts at once, and say which of them are missing.
        const { unavailable: missing, ...known }: Facts = Object(seen);
        Object.assign(facts, known);
        Object.assign(unavailable, missing);
      }
    } catch (thrown) {
      unavailable[name] = messageOf(thrown);
    }
  };

  try {
    await Promise.all(PROBES.filter(isNeeded).map(ask));
  } finally {
    late.forget();
  }
  return Object.keys(unavailable).length === 0 ? facts : { ...facts, unavailable };
}

const LATE = Symbol('late');

/** The listener must be removed afterwards: one episode's signal serves hundreds of observations. */
function whenAborted(signal: AbortSignal): { promise: Promise<typeof LATE>; forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<typeof LATE>();
  const onAbort = () => resolve(LATE);
  signal.addEventListener('abort', onAbort, { once: true });
  return { promise, forget: () => signal.removeEventListener('abort', onAbort) };
}
