/**
 * Which episodes go into report.html, chosen while they come: those that did not pass or that graders differ about first, and no more than
 * a browser opens in a moment.
 */
import type { EpisodeResult } from '../../events/index.ts';
import { differencesIn, type EpisodeView, gradedTask, HTML_LIMITS, type StepView } from '../../view/index.ts';

export interface ShownEpisode {
  result: EpisodeResult;
  view: EpisodeView;
  /** Relative to the run's folder. */
  folder: string;
  /** Without its steps, where the file would become too long. */
  isBrief: boolean;
}

interface Held extends ShownEpisode {
  index: number;
}

type Limits = { episodes: number; stepText: number };

export class ShownEpisodes {
  readonly #limits: Limits;
  /** Did not pass, or graders differ about it. */
  readonly #failed: Held[] = [];
  readonly #passed: Held[] = [];
  #size = 0;
  #count = 0;

  constructor(limits: Limits = HTML_LIMITS) {
    this.#limits = limits;
  }

  add(episode: Omit<ShownEpisode, 'isBrief'>): void {
    const held: Held = { ...episode, index: this.#count++, isBrief: false };
    const isPlain = episode.result.success && differencesIn(gradedTask(episode.result)).length === 0;
    (isPlain ? this.#passed : this.#failed).push(held);
    this.#size += held.view.size;
    if (this.#failed.length + this.#passed.length > this.#limits.episodes) this.#drop();
    while (this.#size > this.#limits.stepText && this.#shorten()) {}
  }

  /** In the order of the plan, with how many are left out. */
  selected(): { episodes: ShownEpisode[]; leftOut: number } {
    const episodes = [...this.#failed, ...this.#passed].sort((a, b) => a.index - b.index);
    return { episodes, leftOut: this.#count - episodes.length };
  }

  #drop(): void {
    const held = this.#passed.pop() ?? this.#failed.pop();
    if (held && !held.isBrief) this.#size -= held.view.size;
  }

  /** Takes the steps and the timeline out of the last one that has them. */
  #shorten(): boolean {
    const held = this.#passed.findLast(({ isBrief }) => !isBrief) ?? this.#failed.findLast(({ isBrief }) => !isBrief);
    if (!held) return false;
    this.#size -= held.view.size;
    held.isBrief = true;
    const { timeline: _timeline, ...view } = held.view;
    held.view = { ...view, steps: view.steps.map(outline) };
    return true;
  }
}

/** What the table and the filmstrip need of a step. */
function outline({ step, by, isLook, lane, tool, seq, at, picture, reward }: StepView): StepView {
  return {
    step,
    by,
    isLook,
    lane,
    tool,
    seq,
    at,
    arguments: { text: '', length: 0, isCut: false },
    brief: '',
    aside: [],
    notes: [],
    ...(picture === undefined ? {} : { picture }),
    ...(reward ? { reward: { ...reward, reasons: [] } } : {}),
  };
}
