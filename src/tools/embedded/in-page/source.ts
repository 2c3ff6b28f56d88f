/** The script that is sent into a document, assembled from the source texts of its parts. */
import { makeDom } from '../../../chromium/index.ts';
import { installAim } from './aim.ts';
import { installChanges } from './changes.ts';
import { installDescribe } from './describe.ts';
import { installEnter } from './enter.ts';
import { installFind } from './find.ts';
import { installLocate } from './locate.ts';
import { installNames } from './names.ts';
import { installRead } from './read.ts';
import { installRefs } from './refs.ts';
import { installScroll } from './scroll.ts';
import { installTree } from './tree.ts';

export const TOOLS_WORLD = 'waymark-actions';

const PARTS = [
  installRefs,
  installTree,
  installNames,
  installDescribe,
  installChanges,
  installRead,
  installLocate,
  installFind,
  installAim,
  installEnter,
  installScroll,
];
const BODY = PARTS.map((part) => `(${part.toString()})(actions);`).join('\n');

/** The source that installs the actions. Running it a second time has no effect. */
export function actionsSource(letters: string): string {
  return `if (globalThis.waymarkActions?.letters !== ${JSON.stringify(letters)}) {
  const actions = { letters: ${JSON.stringify(letters)}, dom: (${makeDom.toString()})() };
  ${BODY}
  globalThis.waymarkActions = actions;
}`;
}
