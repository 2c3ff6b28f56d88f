/** Times by a cron expression of five fields in a time zone. */
import { CronExpressionParser } from 'cron-parser';
import { messageOf } from '../../errors/index.ts';

export interface CronTimes {
  readonly cron: string;
  /** IANA: `Europe/Berlin`. */
  readonly timezone: string;
}

/** The next times after one, oldest first. @throws with a sentence when there are none. */
export function timesAfter({ cron, timezone }: CronTimes, after: Date, count: number): Date[] {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 || fields.includes('')) {
    throw new Error('a cron expression has five fields: minute, hour, day of the month, month, day of the week');
  }
  // The library's hashed values differ from machine to machine.
  if (fields.some((field) => /(^|[,/-])H/i.test(field)))
    throw new Error('hashed values (H) are not understood, write numbers');
  if (!isTimezone(timezone)) throw new Error(`there is no time zone ${timezone}`);
  const times = CronExpressionParser.parse(fields.join(' '), { currentDate: after, tz: timezone });
  return Array.from({ length: count }, () => times.next().toDate());
}

/** What is wrong with it, as a sentence; undefined when nothing is. */
export function cronProblem(times: CronTimes, now: Date): string | undefined {
  try {
    timesAfter(times, now, 1);
    return undefined;
  } catch (thrown) {
    const said = messageOf(thrown);
    const why = /loop limit|day of month definition/.test(said) ? 'it names days that never come' : said;
    return `"${times.cron.slice(0, 100)}" can't be used: ${why.replace(/^./, (first) => first.toLowerCase())}.`;
  }
}

function isTimezone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== '';
  } catch {
    // Intl throws a RangeError for a time zone that it does not know.
    return false;
  }
}
