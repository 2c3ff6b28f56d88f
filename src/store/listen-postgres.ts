/** LISTEN on a connection of its own, made again when it breaks. */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { CHANNEL, type Listen } from './signals.ts';

const AGAIN_MS = [100, 500, 1_000, 2_000, 5_000];

export function listenPostgres(connection: pg.ClientConfig): Listen {
  return async (onTopic, onGap) => {
    const closing = new AbortController();
    let current: pg.Client | undefined;

    const connect = async () => {
      const client = new pg.Client({ ...connection, keepAlive: true });
      client.on('notification', ({ payload }) => onTopic(payload ?? ''));
      client.on('error', () => undefined);
      await client.connect();
      client.once('end', () => {
        if (!closing.signal.aborted) void reconnect();
      });
      await client.query(`listen ${CHANNEL}`);
      current = client;
      if (closing.signal.aborted) await client.end();
    };

    const reconnect = async () => {
      for (let tries = 0; !closing.signal.aborted; tries += 1) {
        const pause = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)];
        // An aborted pause is checked for in the next line.
        await wait(pause, undefined, { signal: closing.signal }).catch(() => undefined);
        if (closing.signal.aborted) return;
        try {
          await connect();
          onGap();
          return;
        } catch {
          // The server is still away.
        }
      }
    };

    await connect();
    return {
      close: async () => {
        closing.abort();
        await current?.end();
      },
    };
  };
}
