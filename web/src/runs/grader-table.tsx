/** The graders of a run side by side: how often each said what, and how far it agrees with the verdict that decides. Nothing is averaged. */
import {
  gradeCostText,
  gradeTokenText,
  kappaInterval,
  kappaText,
  notComparedText,
  shareCount,
  shareInterval,
} from '../../../src/view/texts.ts';
import type { GraderSummary } from '../api/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';

const RATES: readonly Column<GraderSummary>[] = [
  {
    name: 'Grader',
    isHeader: true,
    cell: ({ grader, decides, models = [] }) => (
      <>
        {grader} {decides !== undefined && <Badge>decides</Badge>}
        {models.length > 0 && <div className="muted mono">{models.join(', ')}</div>}
      </>
    ),
  },
  {
    name: 'Pass rate, 95 % interval',
    cell: ({ passRate }) => (
      <>
        {shareCount(passRate)}
        <div className="muted nowrap">{shareInterval(passRate)}</div>
      </>
    ),
  },
  { name: 'Errors as not passed', cell: ({ passRateWithErrors }) => shareCount(passRateWithErrors) },
  { name: 'Errors', align: 'end', cell: ({ verdicts }) => verdicts.error ?? 0 },
  { name: 'Skipped', align: 'end', cell: ({ verdicts }) => verdicts.skipped ?? 0 },
  {
    name: 'Calls',
    align: 'end',
    cell: ({ cost }) =>
      cost ? (
        <>
          {cost.calls}
          <div className="muted nowrap">{gradeTokenText(cost)} tokens</div>
        </>
      ) : (
        '–'
      ),
  },
  { name: 'Cost', align: 'end', cell: ({ cost }) => (cost ? gradeCostText(cost) : '–') },
];

type Compared = GraderSummary & { agreement: NonNullable<GraderSummary['agreement']> };

const AGREEMENT: readonly Column<Compared>[] = [
  {
    name: 'Grader',
    isHeader: true,
    cell: ({ grader, agreement }) => (
      <>
        {grader} <span className="muted">against {agreement.with.join(', ')}</span>
      </>
    ),
  },
  { name: 'Both pass', align: 'end', cell: ({ agreement }) => agreement.table.bothPass },
  { name: 'Only grader', align: 'end', cell: ({ agreement }) => agreement.table.onlyJudge },
  { name: 'Only deciding', align: 'end', cell: ({ agreement }) => agreement.table.onlyReference },
  { name: 'Neither', align: 'end', cell: ({ agreement }) => agreement.table.neither },
  { name: 'Same verdict', cell: ({ agreement }) => shareCount(agreement.agreement) },
  {
    name: 'κ, 95 % interval',
    cell: ({ agreement: { kappa } }) => (
      <>
        {kappaText(kappa)}
        <div className="muted">{kappa.undefinedBecause ?? <span className="nowrap">{kappaInterval(kappa)}</span>}</div>
      </>
    ),
  },
  { name: 'Not compared', cell: ({ agreement }) => notComparedText(agreement.notCompared) || 'none' },
];

export function GraderTables({ graders }: { graders: readonly GraderSummary[] }) {
  const compared = graders.filter((one): one is Compared => one.agreement !== undefined);
  return (
    <>
      <ScrollBox label="Verdicts of each grader">
        <DataTable caption="Verdicts of each grader" columns={RATES} rows={graders} rowKey={({ grader }) => grader} />
      </ScrollBox>
      {compared.length > 0 && (
        <>
          <h3>Agreement with the verdict that decides</h3>
          <ScrollBox label="Agreement with the verdict that decides">
            <DataTable
              caption="Agreement with the verdict that decides"
              columns={AGREEMENT}
              rows={compared}
              rowKey={({ grader }) => grader}
            />
          </ScrollBox>
        </>
      )}
    </>
  );
}
