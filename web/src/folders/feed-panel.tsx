/** What happened in the run, the newest first. It is made of the journals, so that who comes late reads the same. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FeedEntry } from '../../../src/view/index.ts';
import { Button } from '../ui/button.tsx';
import { nameOf } from '../viewer/attempt-list.tsx';
import { Panel } from '../viewer/panel.tsx';
import { useLinks, ViewLink } from '../viewer/viewer-links.tsx';
import { folderFeedQuery } from './folder-queries.ts';

const SHOWN = 12;
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function FeedPanel({ id }: { id: string }) {
  const { data } = useQuery(folderFeedQuery(id));
  const [isWhole, setWhole] = useState(false);
  const [hasSteps, setSteps] = useState(true);
  const all = data?.entries ?? [];
  const entries = all.filter(({ kind }) => hasSteps || kind !== 'step').toReversed();
  if (all.length === 0) return null;
  const shown = isWhole ? entries : entries.slice(0, SHOWN);
  return (
    <Panel
      title="Feed"
      about={
        <label>
          <input type="checkbox" checked={hasSteps} onChange={(event) => setSteps(event.target.checked)} /> with steps
        </label>
      }
    >
      <ol className="v-feed">
        {shown.map((entry) => (
          <FeedLine key={entry.key} entry={entry} />
        ))}
      </ol>
      {entries.length > SHOWN && (
        <div>
          <Button small onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show the last ${entries.length}`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** The tone is told without colour too. */
const MARKS = { good: '✓', bad: '✗', fault: '!', open: '·' } as const;

function FeedLine({ entry }: { entry: FeedEntry }) {
  const links = useLinks();
  const { at, tone, text, id, kind } = entry;
  return (
    <li className={`v-feed-${tone}`}>
      <time dateTime={new Date(at).toISOString()}>{TIME.format(at)}</time>{' '}
      <span className="v-feed-mark" aria-hidden="true">
        {kind === 'began' ? '▸' : MARKS[tone]}
      </span>{' '}
      <ViewLink href={links.attempt(id)}>{nameOf(entry)}</ViewLink> {text}
    </li>
  );
}
