/** What every RunStore does, whatever it is made of. Each implementation calls this with its own factory. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import type { AttemptRef, Grade } from '../../src/events/index.ts';
import { HashChain } from '../../src/journal/index.ts';
import type { CellRecord, Claim, RunStore } from '../../src/runs/index.ts';
import { gradeOf, note, planOf, STOP, stamped, startOf } from './attempts.ts';

export interface OpenStore extends AsyncDisposable {
  store: RunStore;
}

/** A storage of runs. */
export interface StoreUnderTest extends AsyncDisposable {
  /** A view of it, as a process has one. */
  open(): Promise<OpenStore>;
  /** The claims made until now are taken away from their workers, as from one that was silent for too long. */
  expireLeases(): Promise<void>;
  /** The journal as it is stored. */
  journalBytes(attempt: AttemptRef): Promise<Buffer>;
  /** For a process of its own: a module that exports `openStore(options)`. */
  child: { module: string; options: unknown };
}

/** `shared`: other tests use it too, each with runs of its own. `own`: a new one, which another process may open. */
export type Storage = 'shared' | 'own';

export function runStoreContract(name: string, make: (storage: Storage) => Promise<StoreUnderTest>): void {
  describe(`a run store: ${name}`, () => {
    test('keeps the plan as it was given, and knows no other run', async () => {
      await using under = await make('shared');
      await using first = await under.open();
      const plan = planOf(['b', 'a'], 2);
      expect(await first.store.plan(plan.runId)).toBeUndefined();
      await first.store.create(plan);
      await using second = await under.open();
      expect(await second.store.plan(plan.runId)).toEqual(plan);
      expect(await second.store.plan('another')).toBeUndefined();
    });

    test('keeps files with an attempt, each once, and none outside of it', async () => {
      await using under = await make('shared');
      await using opened = await under.open();
      const plan = planOf(['a']);
      await opened.store.create(plan);
      const [claim] = await opened.store.claim(plan.runId, 'one', 1);
      if (!claim) throw new Error('Nothing was claimed.');
      const { attempt } = claim;
      const key = 'graders/rubric/1/reply.txt';
      expect(await opened.store.artifact(attempt, key)).toBeUndefined();
      await opened.store.keepArtifact(attempt, key, Buffer.from('one'));
      expect(Buffer.from((await opened.store.artifact(attempt, key)) ?? []).toString()).toBe('one');
      await expect(opened.store.keepArtifact(attempt, key, Buffer.from('two'))).rejects.toThrow();
      expect(Buffer.from((await opened.store.artifact(attempt, key)) ?? []).toString()).toBe('one');
      for (const bad of ['../../run.json', '/etc/passwd', 'a/../../b', '', 'a//b', '..', 'a\\b'])
        await expect(opened.store.artifact(attempt, bad), bad).rejects.toMatchObject({ code: 'bad_artifact_key' });
    });

    test('refuses to make the same run twice', async () => {
      await using under = await make('shared');
      await using opened = await under.open();
      const plan = planOf(['a']);
      await opened.store.create(plan);
      await expect(opened.store.create({ ...plan, trials: 9 })).rejects.toThrow();
      expect(await opened.store.plan(plan.runId)).toEqual(plan);
    });

    test('hands out each cell once, in the order of the plan, and as a first attempt', async () => {
      await using under = await make('shared');
      await using opened = await under.open();
      const plan = planOf(['b', 'a', 'c'], 2);
      await opened.store.create(plan);
      const claims = await Promise.all([
        opened.store.claim(plan.runId, 'one', 2),
        opened.store.claim(plan.runId, 'two', 3),
        opened.store.claim(plan.runId, 'one', 9),
      ]);
      const all = claims.flat().map(({ attempt }) => attempt);
      expect(all.toSorted((a, b) => orderOf(plan, a) - orderOf(plan, b))).toEqual(
        plan.cells.map((cell) => ({ runId: plan.runId, ...cell, attempt: 1 })),
      );
      expect(claims[0]?.map(({ attempt }) => attempt.caseId)).toEqual(['b', 'b']);
      expect(await opened.store.claim(plan.runId, 'one', 1)).toEqual([]);
    });

    test('keeps events as they were appended; the attempt is finished with its stop, and its cell is not claimed again', async () => {
      await using under = await make('shared');
      await using opened = await under.open();
      const { store } = opened;
      const plan = planOf(['a', 'Question 7: Ünïcode/../x?']);
      await store.create(plan);
      const [claim, other] = await store.claim(plan.runId, 'w', 2);
      if (!claim || !other) throw new Error('two cells are open');
      const text = 'NUL \u0000, a separator \u2028, a pair 😀, "quotes"';
      await using writer = await store.open(claim);
      const written = [startOf(claim.attempt), note(text), STOP].map((event) => writer.append(event));
      expect(written.map(({ seq }) => seq)).toEqual([0, 1, 2]);
      expect(await cellsOf(store, plan.runId)).toMatchObject([{ state: 'running' }, { state: 'running' }]);
      await writer.finish();
      await finish(store, other);
      expect(await Array.fromAsync(store.events(claim.attempt))).toEqual(written);
      const lines = (await under.journalBytes(claim.attempt)).toString().trimEnd().split('\n');
      const chain = new HashChain();
      expect(lines).toEqual(written.map((event) => chain.add(JSON.stringify(event))));
      expect(await cellsOf(store, plan.runId)).toEqual([
        { caseId: 'a', trial: 1, state: 'finished', attempts: [{ attempt: 1, finished: true }] },
        { caseId: plan.cells[1]?.caseId, trial: 1, state: 'finished', attempts: [{ attempt: 1, finished: true }] },
      ]);
      await using again = await under.open();
      expect(await Array.fromAsync(again.store.events(claim.attempt))).toEqual(written);
    });

    test('an attempt without a stop can not be finished', async () => {
      await using under = await make('shared');
      await using opened = await under.open();
      const [claim] = await claimed(opened.store, 1);
      await using writer = await opened.store.open(claim as Claim);
      writer.append(startOf((claim as Claim).attempt));
      await expect(writer.finish()).rejects.toMatchObject({ code: 'attempt_not_ended' });
    });

    test('an attempt that was stopped with the run is made again, as a new attempt', async () => {
      await using under = await make('shared');
      const plan = planOf(['a']);
      {
        await using opened = await under.open();
        await opened.store.create(plan);
        const [claim] = await opened.store.claim(plan.runId, 'w', 1);
        if (!claim) throw new Error('a cell is open');
        await using writer = await opened.store.open(claim);
        writer.append(startOf(claim.attempt));
        writer.append({ ...STOP, status: 'tool_error', interrupted: true });
        await writer.finish();
        await opened.store.end(plan.runId, 2_000);
      }
      await using resumed = await under.open();
      expect(await cellsOf(resumed.store, plan.runId)).toMatchObject([
        { state: 'pending', attempts: [{ finished: false }] },
      ]);
      expect(await resumed.store.claim(plan.runId, 'w', 5)).toMatchObject([{ attempt: { caseId: 'a', attempt: 2 } }]);
    });

    test('what could not be begun says why, and is tried again when the run is resumed; what was given back waits', async () => {
      await using under = await make('shared');
      const plan = planOf(['a', 'b']);
      {
        await using opened = await under.open();
        const { store } = opened;
        await store.create(plan);
        const [a, b] = await store.claim(plan.runId, 'w', 2);
        if (!a || !b) throw new Error('two cells are open');
        await store.giveUp(a, { reason: 'There is no browser.', outcome: 'env_error' });
        await store.giveUp(b);
        expect(await cellsOf(store, plan.runId)).toEqual([
          {
            caseId: 'a',
            trial: 1,
            state: 'missing',
            attempts: [{ attempt: 1, finished: false, notBegun: 'There is no browser.' }],
          },
          { caseId: 'b', trial: 1, state: 'pending', attempts: [] },
        ]);
        // In this execution it is not tried again: it would fail for ever.
        expect(await store.claim(plan.runId, 'w', 5)).toMatchObject([{ attempt: { caseId: 'b', attempt: 1 } }]);
        await store.end(plan.runId, 2_000);
      }
      await under.expireLeases();
      await using resumed = await under.open();
      const claims = await resumed.store.claim(plan.runId, 'w', 5);
      expect(claims.map(({ attempt }) => [attempt.caseId, attempt.attempt])).toEqual([
        ['a', 2],
        ['b', 1],
      ]);
    });

    test('a cell that is opened again gets one more attempt; the finished one stays', async () => {
      await using under = await make('shared');
      await using opened = await under.open();
      const { store } = opened;
      const [claim, other] = await claimed(store, 2);
      if (!claim || !other) throw new Error('two cells are open');
      const { runId, caseId, trial } = claim.attempt;
      await finish(store, claim);
      await finish(store, other);
      const before = await under.journalBytes(claim.attempt);
      await store.reopen(runId, [{ caseId, trial }]);
      expect((await cellsOf(store, runId)).map(({ state }) => state)).toEqual(['pending', 'finished']);
      const [again, ...more] = await store.claim(runId, 'w', 5);
      expect(again).toMatchObject({ attempt: { caseId, trial, attempt: 2 } });
      expect(more).toEqual([]);
      await finish(store, again as Claim);
      expect((await under.journalBytes(claim.attempt)).equals(before)).toBe(true);
      expect(await cellsOf(store, runId)).toMatchObject([
        {
          attempts: [
            { attempt: 1, finished: true },
            { attempt: 2, finished: true },
          ],
        },
        { attempts: [{ attempt: 1 }] },
      ]);
    });

    test('a worker whose lease was taken writes nothing more', async () => {
      await using under = await make('shared');
      await using slow = await under.open();
      const [claim] = await claimed(slow.store, 1);
      if (!claim) throw new Error('a cell is open');
      const writer = await slow.store.open(claim);
      writer.append(startOf(claim.attempt));
      await writer.flush();
      await under.expireLeases();
      await using quick = await under.open();
      const [taken] = await quick.store.claim(claim.attempt.runId, 'quick', 1);
      if (!taken) throw new Error('the cell is open again');
      expect(taken.attempt).toMatchObject({ caseId: claim.attempt.caseId, attempt: 2 });
      writer.append(STOP);
      await expect(writer.finish()).rejects.toMatchObject({ code: 'lease_lost' });
      await expect(slow.store.open(claim)).rejects.toMatchObject({ code: 'lease_lost' });
      await expect(slow.store.giveUp(claim)).rejects.toMatchObject({ code: 'lease_lost' });
      await finish(quick.store, taken);
      const [cell] = await cellsOf(quick.store, claim.attempt.runId);
      expect(cell?.attempts.at(-1)).toEqual({ attempt: 2, finished: true });
      await writer[Symbol.asyncDispose]();
    });

    test.each([
      ['in the middle of an attempt', { cases: 4, stallAt: 4, finished: 3 }],
      ['at any moment', { cases: 100, stallAt: 0, finished: 9 }],
    ])('kill -9 %s, and resume: nothing lost, nothing twice, earlier attempts untouched', async (_, kill) => {
      await using under = await make('own');
      const plan = planOf(
        Array.from({ length: kill.cases }, (__, index) => `case-${index + 1}`),
        2,
      );
      {
        await using opened = await under.open();
        await opened.store.create(plan);
      }
      const said = await killed(under, plan.runId, kill);
      const finished = said.filter(({ what }) => what === 'finished').map(({ about }) => about);
      expect(finished.length).toBeGreaterThanOrEqual(kill.finished);
      await under.expireLeases();
      await using resumed = await under.open();
      const { store } = resumed;
      const left = await cellsOf(store, plan.runId);
      const ended = left.filter(({ state }) => state === 'finished');
      // Everything that was acknowledged is there; a kill between the write and the word may leave one more.
      for (const attempt of finished)
        expect(ended).toContainEqual(expect.objectContaining({ caseId: attempt.caseId, trial: attempt.trial }));
      expect(ended.length).toBeLessThanOrEqual(finished.length + 1);
      const begun = attemptsOf(plan.runId, left);
      const bytes = await Promise.all(begun.map((attempt) => under.journalBytes(attempt)));
      for (const { about } of said.filter(({ what }) => what === 'begun')) expect(begun).toContainEqual(about);
      if (kill.stallAt > 0) {
        const cut = said.find(({ what }) => what === 'stalled')?.about as AttemptRef;
        expect((await Array.fromAsync(store.events(cut))).map(({ type }) => type)).toEqual(['start', 'warning']);
      }

      for (;;) {
        const [claim] = await store.claim(plan.runId, 'resumed', 1);
        if (!claim) break;
        expect(ended).not.toContainEqual(
          expect.objectContaining({ caseId: claim.attempt.caseId, trial: claim.attempt.trial }),
        );
        await finish(store, claim);
      }
      const cells = await cellsOf(store, plan.runId);
      expect(cells.map(({ caseId, trial }) => ({ caseId, trial }))).toEqual(plan.cells);
      for (const { attempts, state } of cells) {
        expect(state).toBe('finished');
        expect(attempts.filter((attempt) => attempt.finished)).toHaveLength(1);
        expect(attempts.at(-1)?.finished).toBe(true);
      }
      const after = await Promise.all(begun.map((attempt) => under.journalBytes(attempt)));
      expect(after.every((now, index) => now.equals(bytes[index] as Buffer))).toBe(true);
    });

    test('grades are appended, and unique by attempt, grader and round', async () => {
      await using under = await make('shared');
      await using opened = await under.open();
      const { store } = opened;
      const [claim, other] = await claimed(store, 2);
      if (!claim || !other) throw new Error('two cells are open');
      await finish(store, claim);
      await finish(store, other);
      expect(await store.grades(claim.attempt)).toEqual([]);
      const first: Grade[] = [
        gradeOf('answer', 1, { verdict: 'fail', score: 0, reasoning: 'It says 4.', details: { found: '4' } }),
        gradeOf('judge', 1, { artifacts: ['prompt.txt'], details: { judge: { model: 'm' } } }),
        gradeOf('rubric', 1, {
          reasoning: 'It meets all of it.',
          details: { reason: 'a word of its own', judge: ['no record'] },
          version: '2',
          model: 'openai:m',
          cost: { calls: 3, inputTokens: 900, outputTokens: 20, usd: 0.0012 },
        }),
      ];
      await store.appendGrades(claim.attempt, first);
      await store.appendGrades(claim.attempt, [gradeOf('answer', 2)]);
      const all = [...first, gradeOf('answer', 2)];
      expect(await store.grades(claim.attempt)).toEqual(all);
      expect(await store.grades(other.attempt)).toEqual([]);
      await store.appendGrades(other.attempt, [gradeOf('answer', 2)]);

      // A round that is there is never written over, and what comes with it is not written either.
      const refused = store.appendGrades(claim.attempt, [
        gradeOf('judge', 2),
        gradeOf('answer', 1, { reasoning: 'Other.' }),
      ]);
      await expect(refused).rejects.toMatchObject({ code: 'grade_exists' });
      const twice = store.appendGrades(claim.attempt, [gradeOf('judge', 3), gradeOf('judge', 3)]);
      await expect(twice).rejects.toMatchObject({ code: 'grade_exists' });
      await using again = await under.open();
      expect(await again.store.grades(claim.attempt)).toEqual(all);
    });

    test('a run whose attempts have ended already is added whole', async () => {
      await using under = await make('shared');
      await using opened = await under.open();
      const { store } = opened;
      const plan = planOf(['q1', 'q2', 'q3']);
      const attempts = ['q1', 'q2'].map((caseId) => {
        const attempt = { runId: plan.runId, caseId, trial: 1, attempt: 1 };
        return { attempt, events: stamped([startOf(attempt), note('answered'), STOP]), grades: [gradeOf('answer', 1)] };
      });
      const unended = attempts.map((given) => ({ ...given, events: given.events.slice(0, 2) }));
      await expect(store.addFinished(plan, unended)).rejects.toMatchObject({ code: 'attempt_not_ended' });
      expect(await store.plan(plan.runId)).toBeUndefined();

      await store.addFinished(plan, attempts);
      await expect(store.addFinished(plan, attempts)).rejects.toThrow();
      expect(await store.plan(plan.runId)).toEqual(plan);
      expect((await cellsOf(store, plan.runId)).map(({ caseId, state }) => [caseId, state])).toEqual([
        ['q1', 'finished'],
        ['q2', 'finished'],
        ['q3', 'pending'],
      ]);
      for (const { attempt, events, grades } of attempts) {
        expect(await Array.fromAsync(store.events(attempt))).toEqual(events);
        expect(await store.grades(attempt)).toEqual(grades);
      }
    });
  });
}

function orderOf({ cells }: { cells: readonly { caseId: string; trial: number }[] }, attempt: AttemptRef): number {
  return cells.findIndex(({ caseId, trial }) => caseId === attempt.caseId && trial === attempt.trial);
}

async function cellsOf(store: RunStore, runId: string): Promise<CellRecord[]> {
  return Array.fromAsync(store.cells(runId));
}

/** A new run of so many cases, all claimed. */
async function claimed(store: RunStore, cases: number): Promise<Claim[]> {
  const plan = planOf(Array.from({ length: cases }, (_, index) => `case-${index + 1}`));
  await store.create(plan);
  return store.claim(plan.runId, 'w', cases);
}

async function finish(store: RunStore, claim: Claim): Promise<void> {
  await using writer = await store.open(claim);
  writer.append(startOf(claim.attempt));
  writer.append(STOP);
  await writer.finish();
}

function attemptsOf(runId: string, cells: readonly CellRecord[]): AttemptRef[] {
  return cells.flatMap(({ caseId, trial, attempts }) =>
    attempts.map(({ attempt }) => ({ runId, caseId, trial, attempt })),
  );
}

interface Said {
  what: string;
  about: AttemptRef;
}

/** Runs the child until it has finished so many attempts (and stalls, where it is to), and kills it. */
async function killed(
  { child }: StoreUnderTest,
  runId: string,
  { stallAt, finished }: { stallAt: number; finished: number },
): Promise<Said[]> {
  const script = path.join(import.meta.dirname, 'write-attempts.ts');
  const args = [script, child.module, JSON.stringify(child.options), runId, String(stallAt)];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: Said[] = [];
  for await (const line of createInterface({ input: worker.stdout })) {
    const word: Said = JSON.parse(line);
    said.push(word);
    const isTime =
      stallAt > 0 ? word.what === 'stalled' : said.filter(({ what }) => what === 'finished').length === finished;
    if (isTime) worker.kill('SIGKILL');
  }
  expect(said.at(-1)?.what).not.toBe('done');
  return said;
}
