/** The events that metrics fold, out of those of a journal. */
import type { MetricEvent } from '../metrics/index.ts';
import type { JournalEvent, UnknownEvent } from './events.ts';

/**
 * Metrics' own view of a journal: their events as they are, and on the reset what the start says of the server.
 *
 * @example
 * const metrics = episodeMetrics(metricEvents(events), { oracleSteps: 4 });
 */
export function* metricEvents(events: Iterable<JournalEvent | UnknownEvent>): Generator<MetricEvent, void, undefined> {
  let hasProgressStatus = false;
  for (const event of events) {
    switch (event.type) {
      case 'start':
        hasProgressStatus = event.kind !== 'question' && event.hasProgressStatus;
        break;
      case 'reset':
        yield { ...event, hasProgressStatus };
        break;
      case 'message':
      case 'usage':
      case 'turn':
      case 'warning':
      case 'recovery':
      case 'request':
      case 'requests':
      case 'app_state':
      case 'unknown':
        break;
      case 'tool_result':
        // The server never answered it: as in journals that end without a result for their last call.
        if (event.aborted !== true) yield event;
        break;
      default:
        yield event;
    }
  }
}
