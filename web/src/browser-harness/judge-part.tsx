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
      about="Some of these items have criteria instead of a checker. After the import, this server asks a model to score them."
    >
      <QueryState query={providers} what="the providers">
        {({ providers: list }) =>
          list.length === 0 ? (
            <Empty title="A judge needs an API provider, and there is none yet.">
              <Link to="/providers">Add one first</Link>
            </Empty>
          ) : (
            <JudgeChoice
              judge={judge}
              providers={list}
              hint="They are part of the pack and visible on the chat page, so don’t enter secrets."
              onChange={(next) => change({ judge: { ...judge, ...next } })}
            />
          )
        }
      </QueryState>
    </Part>
  );
}
