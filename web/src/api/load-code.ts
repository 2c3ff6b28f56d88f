/** Loads code of the app that is not there yet. The server refuses it, like everything, to who is not signed in any more. */
import { call } from './client.ts';

/** @throws the refusal of the server, where that is the reason: the browser only says that a module can't be fetched. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // The smallest answer that needs the same right.
    await call('get', '/datasets', { query: { limit: 1 } });
    throw error;
  }
}
