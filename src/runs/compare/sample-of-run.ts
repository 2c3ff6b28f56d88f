/** A run in short. Every journal is read once, and one is held at a time. */
import type { EpisodeResult, JournalEvent, RunPlan, Variant } from '../../events/index.ts';
import type { RunSample, SampledCase, SampledTrial } from '../../metrics/index.ts';
import { failedCheck } from '../check/failed-checks.ts';
import type { RecordedCell } from '../folder/recorded-cells.ts';
import { itemIn } from '../question-result.ts';
import { type RecordedQuestion, recordedQuestions } from '../recorded-questions.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { hashOf, nameOfTask } from '../run-inputs.ts';
import { sampledCell, sampledQuestion, sampledTask } from '../sampled-trial.ts';
import { settingsOf } from './run-settings.ts';

/** `checks`: the folder of checks that failed. Questions are read from a folder only. */
export async function sampleOfRun(run: RecordedRun, checks?: string): Promise<RunSample> {
  const cells = await run.cells();
  const fold = new SampleFold(run.plan);
  if (run.plan.variant.kind === 'agent') {
    for (const cell of cells) {
      const events = await run.events(cell);
      // Empty: a kill came right after the file was made.
      if (events.length > 0) fold.addTask(await run.result(cell, events), events);
    }
  } else if (run.root !== undefined)
    for await (const question of recordedQuestions(run.root)) fold.addQuestion(question);
  const { of } = run.plan.inputs;
  const failed = (id: string): string[] | undefined =>
    checks === undefined ? undefined : failedCheck(checks, String(of[nameOfTask(id)]));
  return fold.sample(cells, failed);
}

class SampleFold {
  readonly #plan: RunPlan;
  readonly #trials = new Map<string, SampledTrial>();
  readonly #cases = new Map<string, SampledCase>();
  readonly #versions = new Map<string, Set<string>>();
  readonly #settings = new Map<string, Set<string>>();
  readonly #notes = { testModel: 0, recoverySearch: 0, heldAtStart: 0, imported: 0 };

  constructor(plan: RunPlan) {
    this.#plan = plan;
  }

  #add(trial: SampledTrial, sampled: SampledCase): void {
    this.#trials.set(keyOf(trial), trial);
    const known = this.#cases.get(sampled.id);
    if (!known || known.contract === null) this.#cases.set(sampled.id, sampled);
    // Two contracts of one case are none: the run was not made of one piece.
    else if (sampled.contract !== null && sampled.contract !== known.contract)
      this.#cases.set(sampled.id, { ...known, contract: hashOf([known.contract, sampled.contract]) });
  }

  addQuestion({ result, trial, events }: RecordedQuestion): void {
    const item = itemIn(events);
    const tags = item ? [item.section] : [];
    this.#add(sampledQuestion(result, trial), { id: result.id, tags, contract: item ? hashOf(item) : null });
    if (result.modelLabel !== null) this.#uses('model', result.modelLabel);
  }

  addTask(result: EpisodeResult, [start]: readonly JournalEvent[]): void {
    const task = start?.type === 'start' ? Object(start.task) : {};
    const tags: unknown[] = Array.isArray(task.tags) ? task.tags : [];
    this.#add(sampledTask(result), {
      id: result.taskId,
      tags: tags.filter((tag) => typeof tag === 'string'),
      contract: result.hashes.contract,
    });
    const { environment, server, usage } = result;
    const [, browser = ''] = environment.browser?.product.split('/') ?? [];
    this.#uses('waymark', environment.waymark);
    this.#uses('node', environment.node);
    this.#uses('browser', browser);
    this.#uses('server', server.version ?? '');
    for (const model of usage?.models ?? []) this.#uses('model', model);
    this.#set('browser', environment.browser ? `${environment.browser.product} (${environment.browser.kind})` : 'none');
    this.#set('platform', environment.platform);
    if (result.testModel) this.#notes.testModel++;
    if (result.recoverySearch) this.#notes.recoverySearch++;
    if (result.held_at_start && result.success) this.#notes.heldAtStart++;
    if (start?.type === 'start' && start.kind !== 'question' && start.imported) this.#notes.imported++;
  }

  /** One version of something that has a say in the results. Two of them pin nothing, and are shown both. */
  #uses(part: string, version: string): void {
    add(this.#versions, part, version);
  }

  #set(name: string, value: string): void {
    add(this.#settings, name, value);
  }

  sample(cells: readonly RecordedCell[], failed: (id: string) => string[] | undefined): RunSample {
    const { runId, suite, variant, createdAt } = this.#plan;
    const trials = cells.map((cell) => this.#trials.get(keyOf(cell)) ?? sampledCell(cell));
    const ids = new Set(cells.map(({ caseId }) => caseId));
    if (variant.kind === 'model' && !this.#versions.has('model')) this.#uses('model', variant.model);
    return {
      runId,
      name: nameOf(variant, [...(this.#versions.get('model') ?? [])]),
      kind: variant.kind === 'agent' ? 'tasks' : 'questions',
      startedAt: new Date(createdAt).toISOString(),
      suite,
      settings: { ...settingsOf(this.#plan), ...joined(this.#settings) },
      versions: joined(this.#versions),
      notes: this.#noteTexts(trials),
      cases: [...ids].map((id) => {
        const rules = failed(id);
        const known = this.#cases.get(id) ?? { id, tags: [], contract: null };
        return rules === undefined ? known : { ...known, failedCheck: rules };
      }),
      trials,
    };
  }

  #noteTexts(trials: readonly SampledTrial[]): string[] {
    const { testModel, recoverySearch, heldAtStart, imported } = this.#notes;
    const open = trials.filter(({ outcome }) => outcome === null).length;
    return [
      ...(testModel > 0 ? ['It was made with the test model, and measures no model.'] : []),
      ...(recoverySearch > 0 ? ['It was made with recovery search: the results are not the agent’s alone.'] : []),
      ...(imported > 0 ? ['It was imported: the harness did not see the browser.'] : []),
      ...(heldAtStart > 0 ? [`${heldAtStart} of its passes held before the agent did anything.`] : []),
      ...(open > 0 ? [`${open} of ${trials.length} have no outcome.`] : []),
    ];
  }
}

function keyOf({ caseId, trial }: { caseId: string; trial: number }): string {
  return JSON.stringify([caseId, trial]);
}

function add(sets: Map<string, Set<string>>, name: string, value: string): void {
  const set = sets.get(name);
  if (set) set.add(value);
  else sets.set(name, new Set([value]));
}

function joined(sets: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string> {
  return Object.fromEntries([...sets].map(([name, values]) => [name, [...values].sort().join(', ')]));
}

function nameOf(variant: Variant, models: readonly string[]): string {
  if (variant.kind === 'model') return `${variant.provider.kind}:${variant.model}`;
  if (variant.kind === 'capture') return variant.displayName;
  const { agent, server } = variant;
  const used = models.length > 0 ? ` (${models.join(', ')})` : '';
  return `${agent.name ?? `${agent.kind}${used}`} on ${server.name}`;
}
