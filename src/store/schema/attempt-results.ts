/** How an attempt ended: the status of its `stop` event. `answered` and `error` are those of questions, the others those of tasks. */
export const ATTEMPT_RESULTS = [
  'answered',
  'error',
  'passed',
  'failed',
  'timeout',
  'max_steps',
  'adapter_error',
  'tool_error',
] as const;
