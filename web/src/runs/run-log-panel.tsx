/** What happened to a run, line by line, as it happens. */
import { useState } from 'react';
import type { LogLine } from '../api/queries.ts';
import type { RunLog } from '../live/use-run-log.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';

const LAST = 200;
const LEVEL: Record<LogLine['level'], string> = { debug: '', info: '', warning: 'log-warning', error: 'log-error' };
const LINK: Record<RunLog['state'], { tone: Tone; text: string }> = {
  connecting: { tone: 'neutral', text: 'connecting' },
  live: { tone: 'good', text: 'live' },
  lost: { tone: 'warning', text: 'reconnecting' },
};
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function RunLogPanel({ log: { lines, state } }: { log: RunLog }) {
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(-LAST);
  const { tone, text } = LINK[state];
  return (
    <section className="panel" aria-labelledby="log">
      <div className="panel-head">
        <h2 id="log">Log</h2>
        <Badge tone={tone}>{text}</Badge>
      </div>
      {shown.length < lines.length && (
        <p>
          <Button small onClick={() => setAll(true)}>
            Show {lines.length - shown.length} earlier lines
          </Button>
        </p>
      )}
      <ScrollBox label="Log of the run" tall>
        <ol className="log">
          {shown.map((line) => (
            <li key={line.seq} className={LEVEL[line.level]}>
              <time className="muted number" dateTime={line.at}>
                {TIME.format(new Date(line.at))}
              </time>
              <span>{line.message}</span>
              <code className="muted">{line.code}</code>
            </li>
          ))}
        </ol>
      </ScrollBox>
    </section>
  );
}
