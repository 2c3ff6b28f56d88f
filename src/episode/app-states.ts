/**
 * The state of the application, for the task's `state-diff` graders: the JSON that a page of it shows, kept as files beside the journal.
 * That it could not be read is written down, and costs the attempt nothing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type EpisodeTaskSpec, sha256Hex } from '../cases/index.ts';
import { messageOf } from '../errors/index.ts';
import type { NewEvent } from '../events/index.ts';
import type { Journal } from '../journal/index.ts';
import { ATTEMPT_LIMITS } from './limits.ts';
import type { Secrets } from './secrets.ts';
import type { ServerUnderTest } from './under-test.ts';

/** By host: what is sent with the request for the state, and by no page. */
export type StateHeaders = ReadonlyMap<string, Readonly<Record<string, string>>>;

export interface AppStateContext {
  readonly server: Pick<ServerUnderTest, 'witness' | 'isBrowserAlive'>;
  readonly journal: Pick<Journal, 'append'>;
  readonly secrets: Secrets;
  /** Of the episode. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
  readonly stateHeaders?: StateHeaders | undefined;
}

type Phase = NewEvent<'app_state'>['phase'];

const FOLDER = 'state';

export class AppStates {
  readonly #context: AppStateContext;
  readonly #startUrl: string;
  /** Addresses as the graders name them, and whether they are read before the attempt too. */
  readonly #wanted: ReadonlyMap<string, boolean>;

  private constructor(context: AppStateContext, startUrl: string, wanted: ReadonlyMap<string, boolean>) {
    this.#context = context;
    this.#startUrl = startUrl;
    this.#wanted = wanted;
  }

  static of(task: EpisodeTaskSpec, context: AppStateContext): AppStates | undefined {
    const wanted = new Map<string, boolean>();
    for (const spec of task.graders ?? [])
      if (spec.grader === 'state-diff')
        wanted.set(spec.stateUrl, spec.before === true || wanted.get(spec.stateUrl) === true);
    return wanted.size === 0 ? undefined : new AppStates(context, task.startUrl, wanted);
  }

  async read(phase: Phase): Promise<void> {
    for (const [index, [stateUrl, before]] of [...this.#wanted].entries()) {
      if (phase === 'before' && !before) continue;
      const url = URL.parse(stateUrl, this.#startUrl)?.href ?? stateUrl;
      const file = `${FOLDER}/${phase}-${index + 1}.json`;
      const found = await this.#read(url, file).catch((error) => ({ reason: `It failed: ${messageOf(error)}` }));
      this.#context.journal.append({ type: 'app_state', phase, stateUrl, url, ...found });
    }
  }

  async #read(url: string, file: string): Promise<{ file: string; hash: string } | { reason: string }> {
    const { server, secrets, folder, signal, stateHeaders } = this.#context;
    if (!server.isBrowserAlive()) return { reason: 'The browser had ended.' };
    const time = AbortSignal.timeout(ATTEMPT_LIMITS.stateMs);
    const headers = stateHeaders?.get(URL.parse(url)?.hostname ?? '');
    const page = await server.witness.readJson(url, signal ? AbortSignal.any([signal, time]) : time, headers);
    if ('problem' in page) return { reason: page.problem };
    const text = `${JSON.stringify(withoutSecrets(page.text, secrets))}\n`;
    mkdirSync(path.join(folder, FOLDER), { recursive: true });
    writeFileSync(path.join(folder, file), text);
    return { file, hash: sha256Hex(text) };
  }
}

/** A secret may be a number, too. */
function withoutSecrets(text: string, secrets: Secrets): unknown {
  return secrets.redact(
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value !== 'number') return value;
      const written = String(value);
      const clean = secrets.text(written);
      return clean === written ? value : clean;
    }),
  );
}
