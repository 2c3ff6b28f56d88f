/** Makes the pack on the server, and the part of it that goes to the page. */
import { type RuntimePack, runtimePack } from '../../../src/capture/formats.ts';
import type { Answer } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { type Draft, selectorsOf, settingsOf } from './draft.ts';
import { packRequest } from './pack-request.ts';
import type { KnownPreset } from './use-presets.ts';

export interface Made {
  readonly answer: Extract<Answer<'post', '/browser-harness/packs'>, object>;
  readonly forPage: RuntimePack;
  readonly preset: KnownPreset;
  /** What it was made of: the fields may change after that. */
  readonly of: string;
}

export async function makePack(draft: Draft, needsJudge: boolean, preset: KnownPreset): Promise<Made> {
  const request = packRequest(draft, needsJudge);
  const answer = await call('post', '/browser-harness/packs', { json: request });
  const { origin, display_name = origin } = request.target;
  const { selectors } = draft.targets[draft.preset];
  const { judge } = request;
  const forPage = runtimePack(answer, {
    preset,
    target: { preset: draft.preset, origin, display_name },
    judge: judge ? { ...judge, prompt: judge.prompt ?? '' } : null,
    selectors: selectors && selectorsOf(selectors),
    settings: settingsOf(draft),
  });
  return { answer, forPage, preset, of: fingerprint(draft, needsJudge) };
}

/** Equal as long as a new pack would be the same. */
export function fingerprint(draft: Draft, needsJudge: boolean): string {
  return JSON.stringify([packRequest(draft, needsJudge), settingsOf(draft)]);
}
