/** The items on which the two differ, with both answers side by side. */
import { useMemo, useState } from 'react';
import type { Comparison, Run, RunItem } from '../api/queries.ts';
import { onItemKey } from '../runs/item-keys.ts';
import { VerdictBadge } from '../runs/run-badges.tsx';
import { runName } from '../runs/run-name.ts';
import { useRunItems } from '../runs/use-run-items.ts';
import { Button } from '../ui/button.tsx';
import { count } from '../ui/format.ts';

const SHOWN = 50;

export function DiscordantItems({ comparison, a, b }: { comparison: Comparison; a: Run; b: Run }) {
  const [most, setMost] = useState(SHOWN);
  const [ofA, ofB] = [useById(a.id), useById(b.id)];
  const differing = comparison.items.filter(({ change }) => change === 'only_a' || change === 'only_b');
  return (
    <section className="panel" aria-labelledby="discordant">
      <div className="panel-head">
        <h2 id="discordant">Where they differ</h2>
        <span className="muted">{count(differing.length, 'item')}</span>
      </div>
      {differing.length === 0 && <p className="muted">There is no item that one passes and the other fails.</p>}
      <ul className="items" onKeyDown={onItemKey}>
        {differing.slice(0, most).map(({ id, change }) => (
          <li key={id}>
            <details className="item">
              <summary>
                <span className="item-verdict">{change === 'only_a' ? 'only A passes' : 'only B passes'}</span>
                <span className="item-id mono">{id}</span>
                <span className="item-prompt">{(ofA.get(id) ?? ofB.get(id))?.prompt_text.split('\n', 1)[0]}</span>
              </summary>
              <div className="item-body">
                <h3>Prompt</h3>
                <pre className="quoted">{(ofA.get(id) ?? ofB.get(id))?.prompt_text}</pre>
                <div className="columns">
                  <Side name="A" run={a} item={ofA.get(id)} />
                  <Side name="B" run={b} item={ofB.get(id)} />
                </div>
              </div>
            </details>
          </li>
        ))}
      </ul>
      {differing.length > most && (
        <p>
          <Button onClick={() => setMost(most + SHOWN)}>Show more</Button>
        </p>
      )}
    </section>
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
