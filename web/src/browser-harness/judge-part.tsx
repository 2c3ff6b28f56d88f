import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { providersQuery } from '../api/queries.ts';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import type { Change, Draft } from './draft.ts';
import { Part, type PartState } from './part.tsx';

/** Rendered only when an item of the scope needs one. API providers only: a chat page can't judge. */
export function JudgePart({ draft, change, state }: { draft: Draft; change: Change; state: PartState }) {
  const providers = useQuery(providersQuery());
  const { judge } = draft;
  const set = (next: Partial<Draft['judge']>) => change({ judge: { ...judge, ...next } });
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
            <div className="form">
              <div className="form-row">
                <SelectField
                  label="Provider"
                  required
                  value={judge.providerId}
                  options={[
                    { value: '', name: 'Choose a provider …' },
                    ...list.map(({ id, name }) => ({ value: id, name })),
                  ]}
                  error={judge.providerId === '' ? 'Needed: an item can only be scored by a judge.' : undefined}
                  onChange={(providerId) => set({ providerId })}
                />
                <TextField
                  label="Model"
                  required
                  autoComplete="off"
                  spellCheck={false}
                  value={judge.model}
                  error={
                    judge.providerId !== '' && judge.model.trim() === '' ? 'Needed: the judge’s model.' : undefined
                  }
                  onChange={(model) => set({ model })}
                />
              </div>
              <TextArea
                label="Further instructions"
                rows={2}
                value={judge.prompt}
                hint="May be empty: the built-in ones ask for 0 or 1 with a reason, by each item’s criteria. They travel with the pack and are seen on the page: no secrets."
                onChange={(prompt) => set({ prompt })}
              />
            </div>
          )
        }
      </QueryState>
    </Part>
  );
}
