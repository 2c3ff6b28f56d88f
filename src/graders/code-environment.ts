/** The environment of a grader that is the user's code: folders of its own, and these variables of ours. No key is among them. */
import { cleanEnvironment, type ProcessFolder } from '../tools/index.ts';

const PASSED = ['PATH', 'LANG', 'LC_ALL', 'TZ'] as const;

export function codeEnvironment({ home, temporary }: ProcessFolder): Record<string, string> {
  return cleanEnvironment(home, temporary, {}, Object.fromEntries(PASSED.map((name) => [name, process.env[name]])));
}
