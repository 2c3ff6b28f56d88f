/** The cases that one run passed and the other did not. */
import type { AnyRun, EpisodeComparison } from '../api/queries.ts';
import { anyRunName } from '../runs/any-run-name.ts';
import { Badge } from '../ui/badge.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import type { FileColumn } from '../ui/list-file.ts';
import { SaveButtons } from '../ui/list-foot.tsx';
import { byText } from '../ui/list-order.ts';
import { LocalList } from '../ui/local-list.tsx';

type Pair = EpisodeComparison['discordant'][number];

const nameOf = ({ caseId, trial }: Pair): string => (trial > 1 ? `${caseId}, trial ${trial}` : caseId);
const first = (side: 'a' | 'b') => (x: Pair, y: Pair) =>
  Number(y.outcomes[side] === 'passed') - Number(x.outcomes[side] === 'passed') || byText(nameOf)(x, y);

const SORTS = [
  { value: 'name', name: 'By case', compare: byText(nameOf) },
  { value: 'only_a', name: 'Only A passes first', compare: first('a') },
  { value: 'only_b', name: 'Only B passes first', compare: first('b') },
] as const;

const FILE: readonly FileColumn<Pair>[] = [
  { name: 'case', value: ({ caseId }) => caseId },
  { name: 'trial', value: ({ trial }) => trial },
  { name: 'outcome_a', value: ({ outcomes }) => outcomes.a },
  { name: 'outcome_b', value: ({ outcomes }) => outcomes.b },
];

const textsOf = (pair: Pair) => [nameOf(pair), pair.outcomes.a, pair.outcomes.b];

export function DiscordantCases({ comparison, a, b }: { comparison: EpisodeComparison; a: AnyRun; b: AnyRun }) {
  const { discordant } = comparison;
  const outcome = (side: 'a' | 'b', run: AnyRun): Column<Pair> => ({
    name: side === 'a' ? `A: ${anyRunName(run)}` : `B: ${anyRunName(run)}`,
    cell: ({ outcomes }) => <Badge tone={outcomes[side] === 'passed' ? 'good' : 'bad'}>{outcomes[side]}</Badge>,
  });
  const columns = [{ name: 'Case', isHeader: true, cell: nameOf }, outcome('a', a), outcome('b', b)];
  return (
    <section className="panel" aria-labelledby="differing">
      <div className="panel-head">
        <h2 id="differing">Cases that differ</h2>
        <span className="muted">{discordant.length}</span>
      </div>
      {discordant.length === 0 ? (
        <p className="muted">No case and trial was passed by one of them only.</p>
      ) : (
        <LocalList
          one="case"
          rows={discordant}
          textsOf={textsOf}
          sorts={SORTS}
          files={(found) => <SaveButtons name="cases-that-differ" columns={FILE} rows={found} />}
        >
          {(shown) => <DataTable caption="Cases that differ" columns={columns} rows={shown} rowKey={nameOf} />}
        </LocalList>
      )}
    </section>
  );
}
