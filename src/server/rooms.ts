/** All rooms with routes or workers. A new one is a file in rooms/, and a line. */
import type { Room } from './room.ts';

export const rooms: readonly Room[] = [];
