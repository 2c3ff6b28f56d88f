/** The success contract, evaluated again from the facts that the journal holds: no browser is needed, and the verdict of the run is reproduced. */
import { agentResult, rescoreEvents } from '../../events/index.ts';
import type { Grader } from '../grader.ts';

export const contractGrader: Grader = {
  name: 'contract',
  version: '1',
  grade({ subject, events }) {
    if (subject.kind === 'question') return { verdict: 'skipped', reasoning: 'A question has no contract.' };
    const [start] = events;
    if (start?.type === 'start' && start.kind !== 'question' && start.imported)
      return { verdict: 'skipped', reasoning: 'The trace was made elsewhere: there is no evidence to evaluate.' };
    const differences = rescoreEvents(events).differences.filter(({ what }) => what === 'verdict');
    if (differences.length > 0) {
      const places = differences.map(({ seq }) => seq).join(', ');
      const reasoning = `The facts of the journal do not give the verdicts that it records (events ${places}).`;
      return { verdict: 'error', reasoning, details: { differences } };
    }
    const {
      verdict,
      score,
      reasoning = '',
      details,
    } = agentResult(events)?.metadata.grader_results.contract ?? NO_START;
    return { verdict, score, reasoning, details: Object(details) };
  },
};

const NO_START = { verdict: 'error', score: null, reasoning: 'The journal has no start.', details: {} } as const;
