/** Calls of the API: the client that the server's schemas type, on this page's own origin. */
import { ApiProblem, apiClient } from '../../../src/server/client.ts';

export const { call } = apiClient(async (path, init) => {
  try {
    return await fetch(path, init);
  } catch (thrown) {
    if (init.signal?.aborted) throw thrown;
    throw new ApiProblem({
      status: 0,
      code: 'unreachable',
      detail: 'The server does not answer.',
      hint: 'Is `waymark serve` still running?',
    });
  }
});
