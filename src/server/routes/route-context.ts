/** What the routes of the Browser Harness work with. */
import type { PresetName, TokenKeys } from '../../capture/index.ts';
import type { ServerContext } from '../route-module.ts';

/** Data and checks of the script that runs in chat pages, which is built apart from the server. */
export interface PageParts {
  presets: Readonly<Record<string, object>>;
  validateSelectors: (
    selectors: unknown,
    settings?: { quiet_ms?: number },
  ) => { path: string; code: string; message: string }[];
}

/** A page to practise on, by the preset that fits it. */
export type Fixtures = Readonly<Partial<Record<PresetName, FixturePage>>>;

export interface FixturePage {
  url: string;
  origin: string;
  /** Where those of the preset don't fit. */
  selectors?: Record<string, string[]> | undefined;
}

export interface RouteContext extends ServerContext {
  keys: TokenKeys;
  now: () => Date;
  page?: PageParts | undefined;
  fixtures?: Fixtures | undefined;
}
