/** Results that were made with a test model are labelled as such, wherever they are shown. */

/** How the replies of `waymark test-model` name their model; the policy follows. */
export const TEST_MODEL_PREFIX = 'waymark-test-model/';

/**
 * Whether a model's id, with or without its kind, is that of a test model. Some clients report the name that they asked for, not that of the reply,
 * so that the name `test`, by which it is asked for, counts too.
 *
 * @example isTestModel('openai-compatible:test:liar'); // => true
 */
export function isTestModel(id: string): boolean {
  const name = id.replace(/^(?:openai|anthropic|google|openai-compatible|ollama):/, '');
  return name.startsWith(TEST_MODEL_PREFIX) || /^test(?::|$)/.test(name);
}
