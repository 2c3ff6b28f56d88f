import type { Comparison, Run } from '../api/queries.ts';
import { Notice } from '../ui/notice.tsx';
import { ChangeBar } from './change-bar.tsx';
import { DifferencePlot } from './difference-plot.tsx';
import { DiscordantItems } from './discordant-items.tsx';
import { inWords } from './in-words.ts';

const TONES = { better: 'good', worse: 'warning', not_enough_evidence: 'info' } as const;

export function ComparisonView({ comparison, a, b }: { comparison: Comparison; a: Run; b: Run }) {
  const { headline, sentences } = inWords(comparison);
  const { verdict, difference, pairs } = comparison.statistics;
  return (
    <>
      <Notice tone={TONES[verdict]} title={headline}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Notice>
      {pairs > 0 && (
        <div className="columns">
          <DifferencePlot estimate={difference.estimate ?? 0} interval={difference.interval} />
          <ChangeBar counts={comparison.counts} />
        </div>
      )}
      <DiscordantItems comparison={comparison} a={a} b={b} />
    </>
  );
}
