/** The smallest agent with a model: it asks, makes the calls, and asks again, until a reply has no call. */
import { dynamicTool, jsonSchema, type ModelMessage } from 'ai';
import type { Agent, Session } from '../../src/index.ts';
import { generate, type ModelChoice, openModel, systemContext } from '../../src/models/index.ts';

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];

export interface LoopOptions {
  /** Old results are taken out of the conversation: only the newest this many stay. */
  readonly keepResults?: number;
}

export function toolLoop(choice: ModelChoice, { keepResults = 1_000 }: LoopOptions = {}): Agent {
  return {
    kind: 'tool-loop',
    async run(session) {
      const model = await openModel(
        choice,
        systemContext(session.signal, () => LOOPBACK),
      );
      const messages: ModelMessage[] = [
        { role: 'user', content: `Your goal:\n${session.task.goal}\nThe page is open.` },
      ];
      while (!session.signal.aborted) {
        const instructions = 'You drive a browser with tools.';
        const reply = await generate(model, {
          instructions,
          messages: elided(messages, keepResults),
          tools: toolsOf(session),
        });
        messages.push(...reply.responseMessages);
        if (reply.toolCalls.length === 0) return { answer: reply.text };
        const content = [];
        for (const { toolCallId, toolName, input } of reply.toolCalls) {
          const { text, isError } = await session.step({ tool: toolName, arguments: input as Record<string, unknown> });
          const output = { type: 'text' as const, value: isError ? `Error: ${text}` : text };
          content.push({ type: 'tool-result' as const, toolCallId, toolName, output });
        }
        messages.push({ role: 'tool', content });
      }
      return {};
    },
  };
}

function toolsOf({ tools }: Session) {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute: undefined as never }),
    ]),
  );
}

function elided(messages: readonly ModelMessage[], keep: number): ModelMessage[] {
  const results = messages.filter(({ role }) => role === 'tool');
  const old = new Set(results.slice(0, Math.max(0, results.length - keep)));
  return messages.map((message) => {
    if (message.role !== 'tool' || !old.has(message)) return message;
    return {
      ...message,
      content: message.content.map((part) =>
        part.type === 'tool-result' ? { ...part, output: { type: 'text', value: '[elided]' } } : part,
      ),
    };
  });
}
