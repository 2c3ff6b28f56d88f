/** The protocols, by the path that each is spoken at. */
import { chatCompletions } from './chat-completions.ts';
import { countContentTokens, generateContent } from './generate-content.ts';
import { countMessageTokens, messages } from './messages.ts';
import { ollama } from './ollama.ts';
import type { Protocol } from './protocol.ts';
import { responses } from './responses.ts';

export const PROTOCOLS: readonly Protocol[] = [
  chatCompletions,
  responses,
  messages,
  countMessageTokens,
  generateContent,
  countContentTokens,
  ollama,
];
