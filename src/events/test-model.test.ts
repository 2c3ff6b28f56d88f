import { expect, test } from 'vitest';
import { isTestModel } from './test-model.ts';

test.each([
  'waymark-test-model/oracle',
  'openai-compatible:waymark-test-model/liar',
  'test',
  'ollama:test',
  'google:test:fault-429@2',
])('%s is a test model', (id) => expect(isTestModel(id)).toBe(true));

test.each(['gpt-5', 'openai:gpt-5', 'testing', 'ollama:llama3.2:test', 'openai-compatible:my/test', ''])(
  '%j is none',
  (id) => expect(isTestModel(id)).toBe(false),
);
