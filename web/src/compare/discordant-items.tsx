/** The items on which the two differ, with both answers side by side. */
import { useMemo } from 'react';
import type { Comparison, Run, RunItem } from '../api/queries.ts';
import { onItemKey } from '../runs/item-keys.ts';
import { VerdictBadge } from '../runs/run-badges.tsx';
import { runName } from '../runs/run-name.ts';
import { useRunItems } from '../runs/use-run-items.ts';
import type { FileColumn } from '../ui/list-file.ts';
import { SaveButtons } from '../ui/list-foot.tsx';
import { byNumber } from '../ui/list-order.ts';
import { LocalList } from '../ui/local-list.tsx';

interface Differing {
  id: string;
  seq: number;
  change: 'only_a' | 'only_b';
  itemA: RunItem | undefined;
  itemB: RunItem | undefined;
}

const promptOf = ({ itemA, itemB }: Differing): string => (itemA ?? itemB)?.prompt_text ?? '';
const textsOf = (row: Differing) => [row.id, promptOf(row), row.itemA?.response ?? '', row.itemB?.response ?? ''];
const inOrder = byNumber(({ seq }: Differing) => -seq);
const first = (change: Differing['change']) => (a: Differing, b: Differing) =>
  Number(b.change === change) - Number(a.change === change) || inOrder(a, b);

const SORTS = [
  { value: 'order', name: 'As in the dataset', compare: inOrder },
  { value: 'only_a', name: 'Only A passes first', compare: first('only_a') },
  { value: 'only_b', name: 'Only B passes first', compare: first('only_b') },
] as const;

const FILE: readonly FileColumn<Differing>[] = [
  { name: 'item_id', value: ({ id }) => id },
  { name: 'passes', value: ({ change }) => (change === 'only_a' ? 'A' : 'B') },
  { name: 'prompt', value: promptOf },
  { name: 'answer_a', value: ({ itemA }) => itemA?.response ?? null },
  { name: 'answer_b', value: ({ itemB }) => itemB?.response ?? null },
];

export function DiscordantItems({ comparison, a, b }: { comparison: Comparison; a: Run; b: Run }) {
  const [ofA, ofB] = [useById(a.id), useById(b.id)];
  const differing = useMemo(
    () =>
      comparison.items.flatMap(({ id, change }, seq) =>
        change === 'only_a' || change === 'only_b' ? [{ id, seq, change, itemA: ofA.get(id), itemB: ofB.get(id) }] : [],
      ),
    [comparison, ofA, ofB],
  );
  return (
    <section className="panel" aria-labelledby="discordant">
      <div className="panel-head">
        <h2 id="discordant">Where they differ</h2>
      </div>
      {differing.length === 0 ? (
        <p className="muted">There is no item that one passes and the other fails.</p>
      ) : (
        <LocalList
          one="item"
          rows={differing}
          textsOf={textsOf}
          sorts={SORTS}
          files={(found) => <SaveButtons name="differences" columns={FILE} rows={found} />}
        >
          {(shown) => (
            <ul className="items" onKeyDown={(event) => onItemKey(event)}>
              {shown.map((row) => (
                <li key={row.id}>
                  <DifferingItem row={row} a={a} b={b} />
                </li>
              ))}
            </ul>
          )}
        </LocalList>
      )}
    </section>
  );
}

function DifferingItem({ row, a, b }: { row: Differing; a: Run; b: Run }) {
  return (
    <details className="item">
      <summary>
        <span className="item-verdict">{row.change === 'only_a' ? 'only A passes' : 'only B passes'}</span>
        <span className="item-id mono">{row.id}</span>
        <span className="item-prompt">{promptOf(row).split('\n', 1)[0]}</span>
      </summary>
      <div className="item-body">
        <h3>Prompt</h3>
        <pre className="quoted">{promptOf(row)}</pre>
        <div className="columns">
          <Side name="A" run={a} item={row.itemA} />
          <Side name="B" run={b} item={row.itemB} />
        </div>
      </div>
    </details>
  );
}

function Side({ name, run, item }: { name: string; run: Run; item: RunItem | undefined }) {
  const score = item?.scores.at(-1);
  const reason = score?.detail['reason'];
  return (
    <div className="side">
      <h3>
        {name}: {runName(run)}
      </h3>
      {score && (
        <p>
          <VerdictBadge verdict={score.verdict} />{' '}
          <span className="muted">{typeof reason === 'string' ? reason : `by ${score.method}`}</span>
        </p>
      )}
      <pre className="quoted">{item ? (item.response ?? 'No answer.') : 'Not loaded.'}</pre>
    </div>
  );
}

function useById(runId: string): ReadonlyMap<string, RunItem> {
  const { items } = useRunItems(runId);
  return useMemo(() => new Map(items?.map((item) => [item.id, item])), [items]);
}
