import { SelectField, TextField } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { type ChangeStart, fieldErrors, type StartDraft } from './start-draft.ts';
import type { StartChoices } from './start-queries.ts';
import './start.css';

interface Fields {
  draft: StartDraft;
  change: ChangeStart;
  choices: StartChoices;
}

/** What a run of browser tasks is started with. */
export function StartFields({ draft, change, choices }: Fields) {
  return (
    <>
      <section className="panel" aria-labelledby="start-suite">
        <h2 id="start-suite">Tasks</h2>
        <SuiteFields {...{ draft, change, choices }} />
      </section>
      <section className="panel" aria-labelledby="start-variant">
        <h2 id="start-variant">Under test</h2>
        <VariantFields {...{ draft, change, choices }} />
      </section>
      <section className="panel" aria-labelledby="start-settings">
        <h2 id="start-settings">How often, and how much</h2>
        <SettingsFields {...{ draft, change }} />
      </section>
    </>
  );
}

function SuiteFields({ draft, change, choices }: Fields) {
  const errors = fieldErrors(draft);
  const chosen = choices.suites.find(({ name }) => name === draft.suite);
  return (
    <div className="form">
      <div className="form-row">
        <SelectField
          label="Suite"
          required
          value={draft.suite}
          hint={chosen?.folder}
          options={[
            { value: '', name: 'Choose a suite' },
            ...choices.suites.map(({ name, files }) => ({
              value: name,
              name: files === null ? `${name} (made from templates)` : `${name} (${count(files, 'file')})`,
            })),
            ...notOffered(draft.suite, choices.suites),
          ]}
          onChange={(suite) => change({ suite, seeds: '' })}
        />
        <TextField
          label="Only tasks with"
          autoComplete="off"
          value={draft.filter}
          hint="A part of their id; with * the whole id must fit. Optional."
          onChange={(filter) => change({ filter })}
        />
        {chosen?.kind === 'templates' && (
          <TextField
            label="Seeds"
            autoComplete="off"
            value={draft.seeds}
            error={errors.seeds}
            hint="Such as 0..9. Without them: 0."
            onChange={(seeds) => change({ seeds })}
          />
        )}
      </div>
    </div>
  );
}

/** What a schedule names stays chosen where the server has it no more. */
const notOffered = (chosen: string, offered: readonly { name: string }[]) =>
  chosen === '' || offered.some(({ name }) => name === chosen)
    ? []
    : [{ value: chosen, name: `${chosen} (not offered by this server)` }];

const names = (values: readonly string[]) => values.map((value) => ({ value, name: value }));

function VariantFields({ draft, change, choices }: Fields) {
  const errors = fieldErrors(draft);
  const chosen = choices.variants.find(({ name }) => name === draft.variant);
  return (
    <div className="form">
      <SelectField
        label="Variant"
        value={draft.variant}
        hint={chosen && (chosen.problem ?? `${chosen.agent} on ${chosen.server ?? 'embedded'}`)}
        options={[
          { value: '', name: 'Choose agent, tool server and model below' },
          ...choices.variants.map(({ name, problem }) => ({
            value: name,
            name: problem === null ? name : `${name} (can’t be used)`,
          })),
          ...notOffered(draft.variant, choices.variants),
        ]}
        onChange={(variant) => change({ variant })}
      />
      {draft.variant === '' && (
        <div className="form-row">
          <SelectField
            label="Agent"
            value={draft.agent}
            hint={draft.agent === 'scripted' ? 'Replays the known solution of each task.' : undefined}
            options={names(choices.agents)}
            onChange={(agent) => change({ agent })}
          />
          <SelectField
            label="Tool server"
            value={draft.server}
            options={names(choices.servers)}
            onChange={(server) => change({ server })}
          />
        </div>
      )}
      {draft.variant === '' && draft.agent !== 'scripted' && (
        <div className="form-row">
          <TextField
            label="Model"
            required
            autoComplete="off"
            spellCheck={false}
            value={draft.model}
            error={errors.model}
            hint="kind:id, such as openai:gpt-5-mini. Its key is in the server’s environment."
            onChange={(model) => change({ model })}
          />
          <TextField
            label="Address of the model"
            autoComplete="off"
            spellCheck={false}
            value={draft.baseUrl}
            hint="For openai-compatible. The usual key of a vendor is not sent to another address."
            onChange={(baseUrl) => change({ baseUrl })}
          />
        </div>
      )}
    </div>
  );
}

const NUMBERS = [
  { key: 'trials', label: 'Trials', hint: 'Of each task.' },
  { key: 'concurrency', label: 'At a time', hint: 'Attempts.' },
  { key: 'retries', label: 'Retries', hint: 'After a fault that is not the agent’s.' },
  { key: 'maxSteps', label: 'Steps per attempt', hint: 'At most; the task’s own by default.' },
  { key: 'maxSeconds', label: 'Seconds per attempt', hint: 'At most; the task’s own by default.' },
  { key: 'maxTokens', label: 'Tokens per attempt', hint: 'At most, read and written.' },
  { key: 'maxCost', label: 'Dollars per attempt', hint: 'At most.' },
  { key: 'maxRunTokens', label: 'Tokens in all', hint: 'Then nothing more is begun.' },
  { key: 'maxRunCost', label: 'Dollars in all', hint: 'Then nothing more is begun.' },
] as const;

function SettingsFields({ draft, change }: Omit<Fields, 'choices'>) {
  const errors = fieldErrors(draft);
  return (
    <div className="form">
      <div className="form-row start-numbers">
        {NUMBERS.map(({ key, label, hint }) => (
          <TextField
            key={key}
            label={label}
            inputMode="decimal"
            autoComplete="off"
            value={draft[key]}
            error={errors[key]}
            hint={hint}
            onChange={(value) => change({ [key]: value })}
          />
        ))}
      </div>
      <TextField
        label="Experiment"
        autoComplete="off"
        maxLength={100}
        value={draft.experiment}
        hint="A name for runs that belong together. Optional."
        onChange={(experiment) => change({ experiment })}
      />
    </div>
  );
}
