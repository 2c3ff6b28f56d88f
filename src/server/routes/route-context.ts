/** What the routes of the Browser Harness work with. */
import type { PresetName } from '../../capture/formats.ts';
import type { TokenKeys } from '../../capture/index.ts';
import type { RunFolders, TaskStarter } from '../../runs/index.ts';
import type { ServerContext } from '../route-module.ts';

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
  fixtures?: Fixtures | undefined;
  /** Runs in folders, which are listed with those of the database. */
  folders?: RunFolders | undefined;
  /** Undefined where the server may start no runs of tasks. */
  starter?: TaskStarter | undefined;
  /** The folder of tasks that failed `waymark check`: what rests on one of them is no headline. */
  checks?: string | undefined;
}
