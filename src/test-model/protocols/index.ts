/** The protocols, by the path that each is spoken at. */
import { chatCompletions } from './chat-completions.ts';
import type { Protocol } from './protocol.ts';

export const PROTOCOLS: readonly Protocol[] = [chatCompletions];
