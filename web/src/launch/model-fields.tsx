import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { providersQuery } from '../api/queries.ts';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { providerOptions } from '../ui/judge-choice.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import { type ChangeLaunch, fieldErrors, type LaunchDraft } from './launch-draft.ts';

interface Fields {
  draft: LaunchDraft;
  change: ChangeLaunch;
}

/** The model, and the parameters of its calls. */
export function ModelFields({ draft, change }: Fields) {
  const providers = useQuery(providersQuery());
  return (
    <QueryState query={providers} what="the providers">
      {({ providers: list }) =>
        list.length === 0 ? (
          <Empty title="There is no API provider yet.">
            <Link to="/providers">Add one first</Link>
          </Empty>
        ) : (
          <div className="form">
            <div className="form-row">
              <SelectField
                label="Provider"
                required
                value={list.some(({ id }) => id === draft.providerId) ? draft.providerId : ''}
                options={providerOptions(list)}
                onChange={(providerId) => change({ providerId })}
              />
              <TextField
                label="Model"
                required
                autoComplete="off"
                spellCheck={false}
                value={draft.model}
                hint="The name that the provider uses for it."
                onChange={(model) => change({ model })}
              />
            </div>
            <Parameters draft={draft} change={change} />
          </div>
        )
      }
    </QueryState>
  );
}

function Parameters({ draft, change }: Fields) {
  const errors = fieldErrors(draft);
  return (
    <details className="launch-more">
      <summary>Parameters and limits</summary>
      <div className="form">
        <div className="form-row">
          <TextField
            label="Temperature"
            inputMode="decimal"
            autoComplete="off"
            placeholder="the provider’s default"
            value={draft.temperature}
            error={errors.temperature}
            onChange={(temperature) => change({ temperature })}
          />
          <TextField
            label="Maximum answer length, in tokens"
            inputMode="numeric"
            autoComplete="off"
            placeholder="the provider’s default"
            value={draft.maxTokens}
            error={errors.maxTokens}
            onChange={(maxTokens) => change({ maxTokens })}
          />
        </div>
        <TextArea
          label="System message"
          rows={2}
          value={draft.system}
          hint="Optional. Sent before every prompt."
          onChange={(system) => change({ system })}
        />
        <div className="form-row">
          <TextField
            label="Concurrent calls"
            inputMode="numeric"
            autoComplete="off"
            placeholder="4"
            value={draft.concurrency}
            error={errors.concurrency}
            hint="All runs of a provider together make at most 16 at a time."
            onChange={(concurrency) => change({ concurrency })}
          />
          <TextField
            label="Maximum calls per minute"
            inputMode="numeric"
            autoComplete="off"
            placeholder="no limit"
            value={draft.perMinute}
            error={errors.perMinute}
            hint="Retries count too."
            onChange={(perMinute) => change({ perMinute })}
          />
        </div>
      </div>
    </details>
  );
}
