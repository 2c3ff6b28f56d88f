import { useQuery } from '@tanstack/react-query';
import { providersQuery } from '../api/queries.ts';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import type { ChangeLaunch, LaunchDraft } from './launch-draft.ts';
import { providerOptions } from './model-fields.tsx';

/** Rendered only when an item needs one. */
export function JudgeFields({ draft, change }: { draft: LaunchDraft; change: ChangeLaunch }) {
  const providers = useQuery(providersQuery()).data?.providers ?? [];
  const { judge } = draft;
  const set = (next: Partial<LaunchDraft['judge']>) => change({ judge: { ...judge, ...next } });
  return (
    <section className="panel" aria-labelledby="launch-judge">
      <h2 id="launch-judge">Judge</h2>
      <p className="muted">Some of these items have criteria and no checker: a model scores them.</p>
      <div className="form">
        <div className="form-row">
          <SelectField
            label="Judge’s provider"
            required
            value={judge.providerId}
            options={providerOptions(providers)}
            error={judge.providerId === '' ? 'Needed: an item can only be scored by a judge.' : undefined}
            onChange={(providerId) => set({ providerId })}
          />
          <TextField
            label="Judge’s model"
            required
            autoComplete="off"
            spellCheck={false}
            value={judge.model}
            error={judge.providerId !== '' && judge.model.trim() === '' ? 'Needed: the judge’s model.' : undefined}
            onChange={(model) => set({ model })}
          />
        </div>
        <TextArea
          label="Further instructions"
          rows={2}
          value={judge.prompt}
          hint="May be empty: the built-in ones ask for 0 or 1 with a reason, by each item’s criteria."
          onChange={(prompt) => set({ prompt })}
        />
      </div>
    </section>
  );
}
