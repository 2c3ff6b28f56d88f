import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { providersQuery } from '../api/queries.ts';
import { JudgeChoice } from '../ui/judge-choice.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import type { Change, Draft } from './draft.ts';
import { Part, type PartState } from './part.tsx';

/** Rendered only when an item of the scope needs one. API providers only: a chat page can't judge. */
export function JudgePart({ draft, change, state }: { draft: Draft; change: Change; state: PartState }) {
  const providers = useQuery(providersQuery());
  const { judge } = draft;
  return (
    <Part
      number={3}
      name="Judge"
      state={state}
      about="Some items of this scope have criteria and no checker. A model scores them after the import, on this server."
    >
      <QueryState query={providers} what="the providers">
        {({ providers: list }) =>
          list.length === 0 ? (
            <Empty title="There is no API provider that could judge.">
              <Link to="/providers">Add one first</Link>
            </Empty>
          ) : (
            <JudgeChoice
              judge={judge}
              providers={list}
              hint="They travel with the pack and are seen on the page: no secrets."
              onChange={(next) => change({ judge: { ...judge, ...next } })}
            />
          )
        }
      </QueryState>
    </Part>
  );
}
