/**
 * What is measured of agents that think. Agents that run at once began at different times, and are at different places of their tasks: here they
 * begin one after the other within the time of one form. Steps and CPU are counted while all of them are at work, from the begin of the last
 * one to the end of the first one. All hold their pages open until memory has been read.
 */

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

/** Of one form: its fields, the button, and the way back to it. */
const FORM_STEPS = 6;

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
  /** Of the steps that ended while all agents were at work. */
  readonly #stepMs: number[] = [];
  #readySeconds = Number.NaN;
  #notAtWork: number;
  #before: Usage | undefined;
  #after: Usage | undefined;
  #memory: { browserMiB: number; browserProcesses: number; harnessMiB: number } | undefined;

  constructor(options: DensityOptions, agents: number, startedAt: number) {
    this.#options = options;
    this.#agents = agents;
    this.#notAtWork = agents;
    this.#begin = new Rendezvous(agents, () => {
      this.#readySeconds = (performance.now() - startedAt) / 1000;
    });
    this.#end = new Rendezvous(agents, () => {
      const { mib, processes } = memoryOf(childGroups());
      this.#memory = { browserMiB: mib, browserProcesses: processes, harnessMiB: ownMiB() };
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
    const offset = (this.#begun.size / this.#agents) * FORM_STEPS * thinkMs;
    this.#begun.add(id);
    await this.#begin.arrive(signal);
    try {
      await sleep(offset, undefined, { signal });
      this.#atWork();
      for (const step of steps) {
        await sleep(thinkMs, undefined, { signal });
        const began = performance.now();
        await step();
        const ms = performance.now() - began;
        taken.push(ms);
        if (this.#before && !this.#after) this.#stepMs.push(ms);
      }
      return taken;
    } finally {
      this.#after ??= usage();
      await this.#end.arrive(signal);
    }
  }

  /** For each agent that has ended: one that never began must not be waited for. */
  ended(id: string): void {
    if (this.#begun.has(id)) return;
    this.#begin.leave();
    this.#end.leave();
    this.#atWork();
  }

  /** One more agent is at work, or will not come. */
  #atWork(): void {
    if (--this.#notAtWork === 0) this.#before = usage();
  }

  figures(failed: string[]): DensityFigures {
    const before = this.#before;
    const after = this.#after;
    const memory = this.#memory;
    if (!before || !after || !memory || after.at <= before.at)
      throw new Error(`The agents were not all at work at once: ${failed[0] ?? 'give them more --rounds'}`);
    const steps = this.#stepMs.length;
    const browserCpu = after.browserCpu - before.browserCpu;
    const harnessCpu = after.harnessCpu - before.harnessCpu;
    const others = after.machineCpu - before.machineCpu - browserCpu - harnessCpu;
    const seconds = (after.at - before.at) / 1000;
    const stepsPerSecond = steps / seconds;
    return {
      contestant: this.#options.contestant,
      atOnce: this.#agents,
      failed,
      steps,
      stepsPerSecond,
      shareOfIdeal: stepsPerSecond / (this.#agents / (this.#options.thinkMs / 1000)),
      readySeconds: this.#readySeconds,
      stepMs: quantiles(this.#stepMs),
      browserCpuMsPerStep: (browserCpu * 1000) / steps,
      harnessCpuMsPerStep: (harnessCpu * 1000) / steps,
      ...memory,
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
