/**
 * What is shown while a run goes on: a live line at a terminal, with a line above it for each episode that did not pass; elsewhere a line per
 * episode. Lines that others say stand above the live one.
 */
import type { AttemptRef } from '../../events/index.ts';
import type { RunProgress } from '../../runs/tasks.ts';
import type { Terminal } from '../terminal.ts';
import { liveText } from './live-text.ts';

export type DisplayKind = 'line' | 'list' | 'none';

/** The time that is left goes on while nothing ends. */
const REDRAW_MS = 1_000;

export class RunDisplay implements Disposable {
  readonly #terminal: Terminal;
  readonly #kind: DisplayKind;
  readonly #now: () => number;
  readonly #running = new Map<string, string>();
  #counts = { done: 0, total: 0, ended: 0, passed: 0 };
  #beganAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(kind: DisplayKind, terminal: Terminal, now: () => number = Date.now) {
    this.#terminal = terminal;
    this.#now = now;
    // Without a terminal a line can't be drawn again: there are plain lines.
    this.#kind = kind === 'line' && terminal.screen === undefined ? 'list' : kind;
    if (this.#kind === 'line') this.#timer = setInterval(() => this.#draw(), REDRAW_MS).unref();
  }

  say(line: string): void {
    if (this.#kind === 'none') return;
    this.#clear();
    this.#terminal.err(`${line}\n`);
    this.#draw();
  }

  start({ finished, total }: { finished: number; total: number }): void {
    this.#counts = { ...this.#counts, done: finished, total };
    this.#draw();
  }

  /** An event of an attempt: it runs. */
  onEvent(_event: unknown, attempt: AttemptRef): void {
    const key = keyOf(attempt);
    if (this.#running.has(key)) return;
    this.#beganAt ??= this.#now();
    this.#running.set(key, nameOf(attempt));
    this.#draw();
  }

  ended(progress: RunProgress): void {
    const { done, total, attempt, status, isRetried } = progress;
    this.#running.delete(keyOf(attempt));
    const { ended, passed } = this.#counts;
    const isCounted = !isRetried && status !== 'stopped';
    this.#counts = {
      done,
      total,
      ended: ended + (isCounted ? 1 : 0),
      passed: passed + (isCounted && status === 'passed' ? 1 : 0),
    };
    if (this.#kind === 'list' || status !== 'passed') this.say(progressLine(progress, this.#terminal));
    else this.#draw();
  }

  /** The live line goes away: what follows is the summary. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#clear();
    this.#timer = undefined;
  }

  #clear(): void {
    if (this.#timer) this.#terminal.err('\r\u001b[K');
  }

  #draw(): void {
    const { screen, err } = this.#terminal;
    if (!this.#timer || !screen || this.#counts.total === 0) return;
    const elapsedMs = this.#beganAt === undefined ? 0 : this.#now() - this.#beganAt;
    const state = { ...this.#counts, running: [...this.#running.values()], elapsedMs };
    err(`\r\u001b[K${liveText(state, screen.columns())}`);
  }
}

function keyOf({ caseId, trial }: AttemptRef): string {
  return `${trial} ${caseId}`;
}

function nameOf({ caseId, trial }: AttemptRef): string {
  return `${caseId}${trial > 1 ? ` (trial ${trial})` : ''}`;
}

function progressLine(progress: RunProgress, { paint }: Terminal): string {
  const { done, total, attempt, status, reason, isRetried } = progress;
  const mark = status === 'passed' ? paint('green', 'passed') : paint('red', status);
  const why = status === 'passed' ? '' : `  ${reason.split('\n')[0]}`;
  const again = isRetried ? '  (tried again)' : '';
  return `${String(done).padStart(String(total).length)}/${total}  ${nameOf(attempt)}  ${mark}${why}${again}`;
}
