/** All tools, in the order in which they are listed. */
import type { Tool } from '../tool.ts';
import { clickAt, dragAt, hoverAt, tapAt, typeAt } from './at-point.ts';
import { handleDialog } from './dialog.ts';
import { find } from './find.ts';
import { formInput } from './form-input.ts';
import { interact } from './interact.ts';
import { javascriptTool } from './javascript.ts';
import { mouse } from './mouse.ts';
import { navigate } from './navigate.ts';
import { progressStatus } from './progress-status.ts';
import { readPage } from './read-page.ts';
import { pageScreenshot } from './screenshot.ts';
import { tabsClose, tabsContext, tabsCreate } from './tabs.ts';
import { waitFor } from './wait-for.ts';

export const EMBEDDED_TOOLS: readonly Tool[] = [
  navigate,
  readPage,
  find,
  interact,
  formInput,
  clickAt,
  tapAt,
  hoverAt,
  typeAt,
  dragAt,
  mouse,
  waitFor,
  javascriptTool,
  tabsContext,
  tabsCreate,
  tabsClose,
  pageScreenshot,
  handleDialog,
  progressStatus,
];
