/** A run: what it came to, where to look first, and every attempt. */
import type { RunView } from '../../../src/view/index.ts';
import { AttemptsPanel } from './attempts-panel.tsx';
import { GradersPanel } from './graders-panel.tsx';
import { RunHead } from './run-head.tsx';
import { RunPlots } from './run-plots.tsx';
import { StatisticsPanel } from './statistics-panel.tsx';
import './viewer.css';

export function RunViewer({ run }: { run: RunView }) {
  return (
    <div className="v-run">
      <RunHead run={run} />
      <AttemptsPanel rows={run.attempts} />
      <GradersPanel run={run} />
      <RunPlots rows={run.attempts} />
      <StatisticsPanel run={run} />
    </div>
  );
}
