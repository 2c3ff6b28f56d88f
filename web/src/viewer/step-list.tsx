/** The steps of an attempt: a line each, with a search. */
import { type RefObject, useEffect, useRef } from 'react';
import type { StepView } from '../../../src/view/index.ts';
import { signed } from '../../../src/view/texts.ts';
import { ChangeTags } from './change-list.tsx';
import { Tag, VerdictMark } from './tones.tsx';

interface Props {
  steps: readonly StepView[];
  /** How many there are without the search. */
  total: number;
  selected: number | undefined;
  onStep: (seq: number) => void;
  search: string;
  onSearch: (text: string) => void;
  searchBox: RefObject<HTMLInputElement | null>;
}

export function StepList({ steps, total, selected, onStep, search, onSearch, searchBox }: Props) {
  const list = useRef<HTMLOListElement>(null);
  // The list follows the selection, and the page around it stays where it is.
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-seq="${selected}"]`);
    if (!row || !list.current) return;
    const { offsetTop, offsetHeight } = row;
    const { scrollTop, clientHeight } = list.current;
    if (offsetTop < scrollTop) list.current.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > scrollTop + clientHeight)
      list.current.scrollTop = offsetTop + offsetHeight - clientHeight;
  }, [selected]);
  return (
    <div className="v-steps-box">
      <label className="v-search">
        <span>Search in the steps</span>
        <input
          ref={searchBox}
          className="input"
          type="search"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
      </label>
      {search !== '' && (
        <p className="muted" role="status">
          {steps.length} of {total} steps
        </p>
      )}
      <ol className="v-steps scroll-box" ref={list} aria-label="Steps">
        {steps.map((step) => (
          <li key={step.seq} data-seq={step.seq}>
            <button
              type="button"
              className="v-step"
              aria-current={step.seq === selected ? 'step' : undefined}
              onClick={() => onStep(step.seq)}
            >
              <StepLine step={step} />
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function StepLine({ step }: { step: StepView }) {
  const { result, look, reward } = step;
  return (
    <>
      <span className="v-step-number">{step.step > 0 ? step.step : '·'}</span>
      <span className="v-step-call">
        <code>{step.tool}</code> <span className="muted">{step.brief}</span>
      </span>
      <span className="v-step-tags">
        {step.lane !== 'main' && <Tag>{step.lane}</Tag>}
        {step.by === 'harness' && <Tag>harness</Tag>}
        {step.isRecovered && <Tag>instead of the agent’s call</Tag>}
        {step.isLook && <Tag>look</Tag>}
        {result?.isError && <Tag bad>{`error${result.errorKind === undefined ? '' : `: ${result.errorKind}`}`}</Tag>}
        {!result && <Tag bad>no answer</Tag>}
        <ChangeTags changes={look?.changes ?? []} />
        {/* Until the goal is reached the contract fails at every step: that is no news. */}
        {look?.verdict && look.verdict.verdict !== 'fail' && <VerdictMark verdict={look.verdict.verdict} />}
        {reward && <span className={scoreClass(reward.score)}>{signed(reward.score)}</span>}
      </span>
    </>
  );
}

function scoreClass(score: number): string {
  return `v-score v-score-${score > 0 ? 'up' : score < 0 ? 'down' : 'flat'}`;
}
