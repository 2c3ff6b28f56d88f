/** What a model is shown of a tool's result, by what it may observe. */
import type { ToolResult } from '../../tools/index.ts';
import type { ObserveMode } from '../observe-modes.ts';

export interface Picture {
  readonly data: Uint8Array;
  readonly mediaType: string;
}

export interface ShownResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly text: string;
  readonly isError: boolean;
  readonly pictures: readonly Picture[];
}

/** Characters of one result. A page that is longer is cut, and the model is told so. */
const MAX_TEXT = 40_000;
/** With pictures alone, a text only says how the call went. */
const MAX_TEXT_BESIDE_IMAGE = 600;

export function shownResult(
  call: { readonly toolCallId: string; readonly toolName: string },
  result: Pick<ToolResult, 'text' | 'isError' | 'images'>,
  observe: ObserveMode,
): ShownResult {
  const pictures = observe === 'text' ? [] : picturesOf(result);
  const most = observe === 'image' && !result.isError ? MAX_TEXT_BESIDE_IMAGE : MAX_TEXT;
  const left = result.images.length - pictures.length;
  const notes = [
    ...(pictures.length > 0 ? ['[The picture follows.]'] : []),
    ...(left > 0 ? [`[${left === 1 ? 'A picture is' : `${left} pictures are`} not shown.]`] : []),
  ];
  // Chat completions have no flag for an error: the text has to say it.
  const said = result.isError && !/^\s*error/i.test(result.text) ? `Error: ${result.text}` : result.text;
  return { ...call, text: [cut(said, most), ...notes].join('\n'), isError: result.isError, pictures };
}

export function picturesOf({ images }: Pick<ToolResult, 'images'>): Picture[] {
  return images.map(({ data, mimeType }) => ({ data: Buffer.from(data, 'base64'), mediaType: mimeType }));
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n[cut: ${text.length - most} more characters]`;
}
