/** A server's answer as the harness uses it. It is bounded, because a page may have any size. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ToolImage, ToolResult } from './tool-client.ts';

const MAX_CHARACTERS = 1_000_000;
const MAX_EXTRA_CHARACTERS = 10_000;
const MAX_IMAGES = 8;
const MAX_IMAGE_CHARACTERS = 24 * 1024 * 1024;

export function readResult(answer: CallToolResult, durationMs: number): ToolResult {
  const texts: string[] = [];
  const images: ToolImage[] = [];
  let left = MAX_CHARACTERS;
  for (const block of answer.content) {
    const text = textOf(block);
    if (text !== undefined) {
      texts.push(text.length > left ? `${text.slice(0, left)}… (cut: ${text.length} characters)` : text);
      left = Math.max(0, left - text.length);
    } else if (block.type === 'image' && images.length < MAX_IMAGES && block.data.length <= MAX_IMAGE_CHARACTERS) {
      images.push({ mimeType: block.mimeType, data: block.data });
    }
  }
  const { content, isError, structuredContent: structured, ...extra } = answer;
  const keeps = structured !== undefined && JSON.stringify(structured).length <= MAX_CHARACTERS;
  const hasExtra = Object.keys(extra).length > 0 && JSON.stringify(extra).length <= MAX_EXTRA_CHARACTERS;
  return {
    isError: isError === true,
    text: texts.join('\n'),
    texts,
    blocks: content.map(({ type }) => type),
    images,
    ...(keeps ? { structured } : {}),
    ...(hasExtra ? { extra } : {}),
    durationMs,
  };
}

/** The result for a protocol error: an unknown tool, refused arguments, or an invalid answer. */
export function errorResult(text: string, errorKind: string, durationMs: number): ToolResult {
  return { isError: true, text, texts: [text], blocks: ['text'], images: [], errorKind, durationMs };
}

function textOf(block: CallToolResult['content'][number]): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  if (block.type === 'resource_link') return `${block.name}: ${block.uri}`;
  return undefined;
}
