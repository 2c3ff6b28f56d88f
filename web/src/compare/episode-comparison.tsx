/** Two runs of agents, as `waymark compare` compares them: the verdict with its evidence, the cases that differ, and where trajectories part. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnyRun, type EpisodeComparison as Compared, episodeComparisonQuery } from '../api/queries.ts';
import { IntervalBar } from '../plots/interval-bar.tsx';
import { CheckField } from '../ui/field.tsx';
import { count, dateTime, percent } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/states.tsx';
import { DifferencePlot } from './difference-plot.tsx';
import { DiscordantCases } from './discordant-cases.tsx';
import { PartedPair } from './parted-pair.tsx';
import { TextTable } from './text-table.tsx';

/** Pairs whose pictures are shown at once. */
const OPEN = 3;
const TONES = { better: 'good', worse: 'warning', not_enough_evidence: 'info' } as const;

export function EpisodeComparison({ a, b }: { a: AnyRun; b: AnyRun }) {
  const [isStrict, setStrict] = useState(false);
  const query = useQuery(episodeComparisonQuery(a.id, b.id, isStrict ? 'strict' : 'valid'));
  return (
    <QueryState query={query} what="the comparison">
      {(comparison) => (
        <>
          <CheckField
            label="Count faults as not passed"
            hint="Faults of the harness, a server or the browser are left out otherwise."
            checked={isStrict}
            onChange={setStrict}
          />
          <Verdict comparison={comparison} />
          <DiscordantCases comparison={comparison} a={a} b={b} />
          {comparison.parted.length > 0 && (
            <section className="panel" aria-labelledby="parted">
              <div className="panel-head">
                <h2 id="parted">Where they part</h2>
                <span className="muted">The first trial of each case that differs</span>
              </div>
              {comparison.parted.map((pair, index) => (
                <PartedPair key={`${pair.caseId} ${pair.trial}`} pair={pair} a={a} b={b} isOpen={index < OPEN} />
              ))}
              {comparison.partedLeftOut > 0 && (
                <p className="muted">
                  {count(comparison.partedLeftOut, 'more case')} came to something else; only the first{' '}
                  {comparison.parted.length} are shown.
                </p>
              )}
            </section>
          )}
          {comparison.tables.map((table) => (
            <TextTable key={table.title} table={table} />
          ))}
        </>
      )}
    </QueryState>
  );
}

function Verdict({ comparison }: { comparison: Compared }) {
  const { verdict, headline, regression, evidence, claim, pairs, difference } = comparison;
  return (
    <>
      <Notice tone={TONES[verdict]} title={headline}>
        {regression !== null && <p>{regression}</p>}
        {[...evidence, claim].map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Notice>
      {pairs > 0 && difference && (
        <div className="columns">
          <DifferencePlot estimate={difference.estimate} interval={difference.interval} />
          <section className="panel" aria-labelledby="pass-rates">
            <h2 id="pass-rates">Pass rates</h2>
            {[comparison.a, comparison.b].map((arm, index) => (
              <div key={arm.runId}>
                <p>
                  {index === 0 ? 'A' : 'B'}: <strong className="number">{percent(arm.validOnly.rate)}</strong>{' '}
                  <span className="muted">
                    {arm.validOnly.passed} of {arm.validOnly.of} that the agent decided, {dateTime(arm.startedAt)}
                  </span>
                </p>
                {arm.validOnly.rate !== null && <IntervalBar value={arm.validOnly.rate} {...arm.validOnly.interval} />}
              </div>
            ))}
          </section>
        </div>
      )}
    </>
  );
}
