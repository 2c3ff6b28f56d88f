/** A tool's result as the content of an MCP answer, in the order in which the tool server gave it. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ToolResult } from '../../tools/index.ts';

/** Structured content is left out: codex shows it to its model instead of the content, so that pictures would be lost. */
export function toolContent({ isError, blocks, texts, images }: ToolResult): CallToolResult {
  const waiting = { texts: [...texts], images: [...images] };
  const content = blocks.flatMap((block): CallToolResult['content'] => {
    if (block === 'image') {
      const image = waiting.images.shift();
      return image === undefined ? [] : [{ type: 'image', data: image.data, mimeType: image.mimeType }];
    }
    const text = waiting.texts.shift();
    return text === undefined ? [] : [{ type: 'text', text }];
  });
  return { content, isError };
}

export function textContent(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], isError };
}
