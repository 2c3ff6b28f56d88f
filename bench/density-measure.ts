/** What is measured of agents that think: all begin together, end together, and hold their pages open until memory has been read. */

import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundBrowser } from '../src/chromium/index.ts';
import { percentile } from '../src/metrics/index.ts';
import { childGroups, cpuSecondsOf, machineCpuSeconds, memoryOf, ownMiB } from './process-usage.ts';
import { Rendezvous } from './rendezvous.ts';

/** What one process of the benchmark is asked to measure. */
export interface DensityOptions {
  contestant: 'waymark' | 'playwright';
  atOnce: number;
  /** How often each agent fills in the form. */
  rounds: number;
  thinkMs: number;
  /** Playwright: no further browser is started where the next one would not fit. */
  limitMiB: number;
  browser: FoundBrowser;
  resolverRules: string;
  origin: string;
}

export interface DensityFigures {
  contestant: DensityOptions['contestant'];
  /** Fewer than asked for, where no more fit. */
  atOnce: number;
  failed: string[];
  steps: number;
  stepsPerSecond: number;
  /** Of the rate that agents would have whose steps took no time. */
  shareOfIdeal: number;
  /** From the first start of a browser until every agent could begin. */
  readySeconds: number;
  stepMs: Quantiles;
  browserCpuMsPerStep: number;
  harnessCpuMsPerStep: number;
  browserMiB: number;
  browserProcesses: number;
  harnessMiB: number;
  /** The part of the machine's cores that other programs used meanwhile. */
  othersShare: number;
  /** Of Waymark, from its journals. */
  harness?: {
    callMs: Quantiles;
    answerToRewardMs: Quantiles;
    addedMs: Quantiles;
    rewardToPictureMs: Quantiles;
    /** Looks of the harness that the page did not answer in time, and pictures that were not taken in time. */
    missedLooks: number;
    missedPictures: number;
  };
}

export interface Quantiles {
  p50: number;
  p95: number;
}

export function quantiles(values: readonly number[]): Quantiles {
  return { p50: percentile(values, 50) ?? Number.NaN, p95: percentile(values, 95) ?? Number.NaN };
}

interface Usage {
  at: number;
  browserCpu: number;
  harnessCpu: number;
  machineCpu: number;
}

export class DensityMeasure {
  readonly #options: DensityOptions;
  readonly #agents: number;
  readonly #begin: Rendezvous;
  readonly #end: Rendezvous;
  readonly #begun = new Set<string>();
  readonly #stepMs: number[] = [];
  #rate = 0;
  #readySeconds = Number.NaN;
  #before: Usage | undefined;
  #after: (Usage & { browserMiB: number; browserProcesses: number; harnessMiB: number }) | undefined;

  constructor(options: DensityOptions, agents: number, startedAt: number) {
    this.#options = options;
    this.#agents = agents;
    this.#begin = new Rendezvous(agents, () => {
      this.#readySeconds = (performance.now() - startedAt) / 1000;
      this.#before = usage();
    });
    this.#end = new Rendezvous(agents, () => {
      const after = usage();
      const { mib, processes } = memoryOf(childGroups());
      this.#after = { ...after, browserMiB: mib, browserProcesses: processes, harnessMiB: ownMiB() };
    });
  }

  /** One agent: thinks and makes a step, again and again. Gives the milliseconds of its steps. */
  async drive(
    id: string,
    steps: readonly (() => Promise<unknown>)[],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<number[]> {
    const { thinkMs } = this.#options;
    const taken: number[] = [];
    // Evenly spread over the time of one thought, as agents are that began at different times.
    const offset = (this.#begun.size / this.#agents) * thinkMs;
    this.#begun.add(id);
    await this.#begin.arrive(signal);
    try {
      await sleep(offset, undefined, { signal });
      const from = performance.now();
      for (const step of steps) {
        await sleep(thinkMs, undefined, { signal });
        const began = performance.now();
        await step();
        taken.push(performance.now() - began);
      }
      this.#rate += taken.length / ((performance.now() - from) / 1000);
      return taken;
    } finally {
      this.#stepMs.push(...taken);
      await this.#end.arrive(signal);
    }
  }

  /** For each agent that has ended: one that never began must not be waited for. */
  ended(id: string): void {
    if (this.#begun.has(id)) return;
    this.#begin.leave();
    this.#end.leave();
  }

  figures(failed: string[]): DensityFigures {
    const before = this.#before;
    const after = this.#after;
    if (!before || !after) throw new Error(`No agent came to its end: ${failed[0] ?? 'nothing is known'}`);
    const steps = this.#stepMs.length;
    const browserCpu = after.browserCpu - before.browserCpu;
    const harnessCpu = after.harnessCpu - before.harnessCpu;
    const others = after.machineCpu - before.machineCpu - browserCpu - harnessCpu;
    const seconds = (after.at - before.at) / 1000;
    return {
      contestant: this.#options.contestant,
      atOnce: this.#agents,
      failed,
      steps,
      stepsPerSecond: this.#rate,
      shareOfIdeal: this.#rate / (this.#agents / (this.#options.thinkMs / 1000)),
      readySeconds: this.#readySeconds,
      stepMs: quantiles(this.#stepMs),
      browserCpuMsPerStep: (browserCpu * 1000) / steps,
      harnessCpuMsPerStep: (harnessCpu * 1000) / steps,
      browserMiB: after.browserMiB,
      browserProcesses: after.browserProcesses,
      harnessMiB: after.harnessMiB,
      othersShare: others / (seconds * availableParallelism()),
    };
  }
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now(),
    browserCpu: cpuSecondsOf(childGroups()),
    harnessCpu: (user + system) / 1e6,
    machineCpu: machineCpuSeconds(),
  };
}
