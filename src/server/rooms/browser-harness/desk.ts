/** What the routes of the Browser Harness work with. */
import type { TokenKeys } from '../../../browser-harness/index.ts';
import type { ServerContext } from '../../room.ts';

/** Data and checks of the script that runs in chat pages, which is built apart from the server. */
export interface PageParts {
  presets: Readonly<Record<string, object>>;
  validateSelectors: (
    selectors: unknown,
    settings?: { quiet_ms?: number },
  ) => { path: string; code: string; message: string }[];
}

export interface HarnessDesk extends ServerContext {
  keys: TokenKeys;
  now: () => Date;
  page?: PageParts | undefined;
}
