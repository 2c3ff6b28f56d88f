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

/** `runs`: the newest completed ones. `total`: how many there are. */
export function AgentsOnSuites({ runs, total }: { runs: readonly AnyRun[]; total: number }) {
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
  const ofNewest = runs.length < total ? ` of the newest ${runs.length} runs` : '';
  return (
    <section className="panel" aria-labelledby="agents">
      <div className="panel-head">
        <h2 id="agents">{TITLE}</h2>
        <span className="muted">Strict pass rate of the newest completed run, with its 95 % interval</span>
      </div>
      <ScrollBox label={TITLE}>
        <DataTable caption={TITLE} columns={columns} rows={shown} rowKey={({ agent }) => agent} />
      </ScrollBox>
      <ListFoot total={`${count(suites.length, 'suite')}, ${agentsText(shown.length, rows.length)}${ofNewest}`}>
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
  const { run, isCurrent } = cell;
  const { low, high } = run.interval;
  const notes = [
    isOfTestModel(run) ? TEST_MODEL : [],
    isCurrent ? [] : 'other tasks than the newest run',
    // Faults that were not the agent's: all that a completed run can be among the failed ones for.
    run.problem === null ? [] : 'faults count as not passed',
  ].flat();
  return (
    <div className="model-cell number">
      <Link to={anyRunPage(run)} params={{ id: run.id }}>
        {percent(run.rate)}
      </Link>
      <div className="muted">
        {percent(low, 0)} to {percent(high, 0)}, {run.passed} of {run.counted}
      </div>
      {notes.length > 0 && <div className="muted">{notes.join(', ')}</div>}
    </div>
  );
}
