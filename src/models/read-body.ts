/** The text of a reply, at most so many bytes of it: an endpoint may send without end. */
import { CallFailure } from './call-failure.ts';

export async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    const bytes: Uint8Array = chunk;
    size += bytes.length;
    if (size > maxBytes) {
      throw new CallFailure('reply_too_large', `The reply is longer than ${maxBytes} bytes.`, {
        status: response.status,
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
