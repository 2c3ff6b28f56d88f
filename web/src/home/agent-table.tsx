/** Each agent on each suite: the pass rate of its newest completed run, with its interval. */
import { Link } from '@tanstack/react-router';
import type { AnyRun } from '../api/queries.ts';
import { anyRunPage, isOfTestModel, TEST_MODEL } from '../runs/any-run-name.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { count, percent } from '../ui/format.ts';
import { ListFoot, SaveButtons } from '../ui/list-foot.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { type AgentCell, type AgentRow, agentColumns, agentTable } from './agent-cells.ts';

const TITLE = 'Agents on suites';
/** The newest ones; the list of runs has all. */
const SHOWN = 20;

export function AgentsOnSuites({ runs }: { runs: readonly AnyRun[] }) {
  const { suites, rows } = agentTable(runs);
  if (rows.length === 0) return null;
  const columns: readonly Column<AgentRow>[] = [
    {
      name: 'Agent',
      isHeader: true,
      cell: ({ agent }) => (
        <Link to="/runs" search={{ variant: agent }}>
          {agent}
        </Link>
      ),
    },
    ...suites.map((suite) => ({ name: suite, cell: ({ cells }: AgentRow) => <Value cell={cells.get(suite)} /> })),
  ];
  const shown = rows.slice(0, SHOWN);
  return (
    <section className="panel" aria-labelledby="agents">
      <div className="panel-head">
        <h2 id="agents">{TITLE}</h2>
        <span className="muted">Pass rate of the newest completed run, with its 95 % interval</span>
      </div>
      <ScrollBox label={TITLE}>
        <DataTable caption={TITLE} columns={columns} rows={shown} rowKey={({ agent }) => agent} />
      </ScrollBox>
      <ListFoot total={`${count(suites.length, 'suite')}, ${agentsText(shown.length, rows.length)}`}>
        <SaveButtons
          name="agents-on-suites"
          columns={agentColumns}
          rows={rows.flatMap(({ cells }) => [...cells.values()])}
        />
      </ListFoot>
    </section>
  );
}

function agentsText(shown: number, all: number): string {
  return shown === all ? count(all, 'agent') : `${shown} of ${count(all, 'agent')}`;
}

function Value({ cell }: { cell: AgentCell | undefined }) {
  if (!cell) return <span className="muted model-none">–</span>;
  const { run, rate, interval, isCurrent } = cell;
  const notes = [isOfTestModel(run) ? TEST_MODEL : [], isCurrent ? [] : 'other tasks than the newest run'].flat();
  return (
    <div className="model-cell number">
      <Link to={anyRunPage(run)} params={{ id: run.id }}>
        {percent(rate)}
      </Link>
      <div className="muted">
        {percent(interval.low, 0)} to {percent(interval.high, 0)}, {run.passed} of {run.counted}
      </div>
      {notes.length > 0 && <div className="muted">{notes.join(', ')}</div>}
    </div>
  );
}
