import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../../../src/server/client.ts';

/** A refusal is final; a server that does not answer may be starting again. */
function isWorthARetry(failures: number, error: unknown): boolean {
  return failures < 2 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: isWorthARetry, retryDelay: 500 },
    mutations: { retry: false },
  },
});
