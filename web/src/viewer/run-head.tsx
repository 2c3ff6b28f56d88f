/** What a run was, its two pass rates with their intervals, and everything that a reader must know of them. */
import type { ReactNode } from 'react';
import type { RunView } from '../../../src/view/index.ts';
import { IntervalBar } from '../plots/interval-bar.tsx';
import { FileLink } from './viewer-links.tsx';

export function RunHead({ run }: { run: RunView }) {
  const { runId, agent, models, server, browser, startedAt, notes, rates, outcomes } = run;
  return (
    <div className="v-head">
      <p>
        Agent <b>{agent}</b>
        {models.length > 0 && (
          <>
            {' '}
            with <b>{models.join(', ')}</b>
          </>
        )}{' '}
        on server{' '}
        <b>
          {server.name} {server.version}
        </b>{' '}
        <span className="muted">
          ({server.transport}, isolation: {server.isolation})
        </span>{' '}
        in <b>{browser.product || 'no browser'}</b> <span className="muted">({browser.kind})</span>,{' '}
        <time dateTime={startedAt}>{startedAt.replace('T', ' ').slice(0, 16)} UTC</time>.{' '}
        <span className="muted">Run {runId}.</span>
      </p>
      {notes.map((note) => (
        <p key={note} className="notice notice-warning" role="note">
          {note}
        </p>
      ))}
      <div className="v-rates">
        {rates.map(({ title, about, passed, of, rate, interval: { low, high } }) => (
          <section key={title} className="panel" aria-label={title}>
            <h2>{title}</h2>
            <p className="v-figure">
              {rate === null ? '–' : percent(rate)}{' '}
              <span className="muted">
                {passed} of {of}
              </span>
            </p>
            {rate !== null && <IntervalBar value={rate} low={low} high={high} />}
            <p className="muted">
              95 % interval {percent(low)} – {percent(high)}. {about}
            </p>
          </section>
        ))}
      </div>
      <ul className="v-outcomes" aria-label="Outcome classes">
        {outcomes.map(({ name, count }) => (
          <li key={name}>
            <b className="number">{count}</b> {name}
          </li>
        ))}
      </ul>
      <RunNotices run={run} />
    </div>
  );
}

function RunNotices({ run: { neverPassed, quarantined, notBegun, earlier, warnings } }: { run: RunView }) {
  return (
    <>
      <Notice title={`${counted(quarantined.length, 'task is', 'tasks are')} quarantined, and counted apart`}>
        {quarantined}
      </Notice>
      <Notice title={`${counted(neverPassed.length, 'task', 'tasks')} never passed in several trials`}>
        {neverPassed}
      </Notice>
      <Notice
        title={`${counted(notBegun.length, 'episode', 'episodes')} could not be begun, through no fault of the agent`}
      >
        {notBegun}
      </Notice>
      <Notice
        title={`${counted(earlier.length, 'attempt was', 'attempts were')} cut off or ended by a fault, and made again`}
      >
        {earlier.map((folder) => (
          <FileLink key={folder} path={folder} />
        ))}
      </Notice>
      <Notice title={counted(warnings.length, 'warning', 'warnings')}>
        {warnings.map(({ text, about }) => (
          <span key={text}>
            {text} <span className="muted">({about})</span>
          </span>
        ))}
      </Notice>
    </>
  );
}

/** Long lists are shown from their beginning: the page must stay usable. */
const LISTED = 500;

function Notice({ title, children }: { title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <details className="notice notice-warning" open={children.length <= 3}>
      <summary>{title}</summary>
      <ul>
        {children.slice(0, LISTED).map((child, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
          <li key={index}>{child}</li>
        ))}
      </ul>
      {children.length > LISTED && <p>And {children.length - LISTED} more.</p>}
    </details>
  );
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
