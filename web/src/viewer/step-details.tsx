/** One step: what was called, what came back, what changed, what the contract says, and why it earned what it earned. */
import type { LogEntry, StepView } from '../../../src/view/index.ts';
import { seconds, signed } from '../../../src/view/texts.ts';
import { ChangeList } from './change-list.tsx';
import { ContractTree } from './contract-tree.tsx';
import { LogList } from './log-panel.tsx';
import { TextBlock } from './text-block.tsx';
import { VerdictMark } from './tones.tsx';

interface Props {
  step: StepView;
  /** Where the contract is as before: the lines from then. */
  lines: readonly string[];
  entries: readonly LogEntry[];
}

export function StepDetails({ step, lines, entries }: Props) {
  const { result, look, reward } = step;
  const name = step.step > 0 ? `Step ${step.step}` : step.isLook ? 'A look' : 'A call of the harness';
  return (
    <section className="v-details" aria-label={`${name}: ${step.tool}`}>
      <div className="v-details-part">
        <h3>
          {name}: <code>{step.tool}</code>{' '}
          <span className="muted">
            at {seconds(step.at)}, event {step.seq}
          </span>
        </h3>
        <TextBlock text={step.arguments} label="Arguments" />
      </div>
      <div className="v-details-part">
        <h3>
          {result?.isError ? 'Result: an error' : 'Result'}{' '}
          {result && <span className="muted">after {Math.round(result.durationMs)} ms</span>}
        </h3>
        {result ? <TextBlock text={result.text} label="Result" /> : <p>The call was never answered.</p>}
      </div>
      <div className="v-details-part">
        <h3>What changed</h3>
        <ChangeList
          changes={look?.changes ?? []}
          otherwise={look ? 'Nothing that the witness could see.' : 'The page was not looked at.'}
        />
        {step.aside.length > 0 && (
          <>
            <p>Afterwards, by itself:</p>
            <ChangeList changes={step.aside} otherwise="" />
          </>
        )}
        {entries.length > 0 && <LogList entries={entries} label="Seen after this step" />}
      </div>
      {look?.verdict && (
        <div className="v-details-part">
          <h3>
            Contract <VerdictMark verdict={look.verdict.verdict} />{' '}
            {look.verdict.isRepeated && <span className="muted">as before</span>}
          </h3>
          <ContractTree lines={lines} />
        </div>
      )}
      {reward && (
        <div className="v-details-part">
          <h3>
            Reward {signed(reward.score)}{' '}
            <span className="muted">
              {reward.classification}, confidence {reward.confidence}
              {step.progress !== undefined && `, the server says ${step.progress}`}
            </span>
          </h3>
          <ul className="v-reasons">
            {reward.reasons.map(({ signal, weight, evidence }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: reasons are never reordered
              <li key={index}>
                <b className="number">{signed(weight)}</b> {signal} <span className="muted">{evidence}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {step.notes.length > 0 && (
        <div className="v-details-part">
          <h3>Notes</h3>
          <ul>
            {step.notes.map((note, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: notes are never reordered
              <li key={index}>{note}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
