import type { Provider } from '../api/queries.ts';
import { SelectField, TextArea, TextField } from './field.tsx';

export interface JudgeDraft {
  providerId: string;
  model: string;
  prompt: string;
}

interface JudgeChoiceProps {
  judge: JudgeDraft;
  onChange: (next: Partial<JudgeDraft>) => void;
  providers: readonly Provider[];
  /** Where the page has another provider and another model. */
  labels?: { provider: string; model: string };
  /** What else there is to know of the instructions. */
  hint?: string;
}

/** API providers only: a chat page can't be called. */
export const providerOptions = (providers: readonly Provider[]) => [
  { value: '', name: 'Choose a provider …' },
  ...providers.map(({ id, name }) => ({ value: id, name })),
];

const LABELS = { provider: 'Provider', model: 'Model' };

/** The model that scores what no checker can. */
export function JudgeChoice({ judge, onChange, providers, labels = LABELS, hint = '' }: JudgeChoiceProps) {
  return (
    <div className="form">
      <div className="form-row">
        <SelectField
          label={labels.provider}
          required
          value={judge.providerId}
          options={providerOptions(providers)}
          error={judge.providerId === '' ? 'Required: some items can only be scored by a judge.' : undefined}
          onChange={(providerId) => onChange({ providerId })}
        />
        <TextField
          label={labels.model}
          required
          autoComplete="off"
          spellCheck={false}
          value={judge.model}
          error={
            judge.providerId !== '' && judge.model.trim() === ''
              ? 'Required: the name of the judge’s model.'
              : undefined
          }
          onChange={(model) => onChange({ model })}
        />
      </div>
      <TextArea
        label="Further instructions"
        rows={2}
        value={judge.prompt}
        hint={`Optional. The built-in instructions ask for 0 or 1 with a reason, by each item’s criteria. ${hint}`.trimEnd()}
        onChange={(prompt) => onChange({ prompt })}
      />
    </div>
  );
}
