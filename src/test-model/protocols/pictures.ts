/** Pictures in a request: their bytes must be those of a picture, and no text may hold one. */
import type { Picture } from '../conversation.ts';
import { Refusal } from './refusal.ts';

/** How the formats begin, in base64. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
};
const AS_BASE64 = /(?:iVBORw0KGgo|\/9j\/4|UklGR|R0lGOD)[A-Za-z0-9+/=]{60,}/;
/** How bytes look when they are turned into JSON: a list, or an object with numbers as its keys. */
const AS_BYTES = /\b137,(?:"1":)?80,(?:"2":)?78,(?:"3":)?71,|\b255,(?:"1":)?216,(?:"2":)?255,/;

/** @throws Refusal when the data is not base64 of a picture of this type. */
export function readPicture(mediaType: string, data: string, at: string): Picture {
  const beginning = BEGINNINGS[mediaType];
  if (beginning === undefined)
    throw new Refusal('invalid_request', `${at}: unsupported image type "${mediaType}".`, at);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) throw new Refusal('invalid_request', `${at}: invalid base64 data.`, at);
  if (!data.startsWith(beginning))
    throw new Refusal('invalid_request', `${at}: the data is not an image of the type ${mediaType}.`, at);
  return { mediaType, bytes: Math.floor((data.length * 3) / 4) };
}

/** Where the type is not said, the bytes tell it. */
export function readBase64(data: string, at: string): Picture {
  const [type] = Object.entries(BEGINNINGS).find(([, beginning]) => data.startsWith(beginning)) ?? ['image/unknown'];
  return readPicture(type, data, at);
}

/** @throws Refusal unless it is a data URL: this server fetches nothing. */
export function readDataUrl(url: string, at: string): Picture {
  const [, mediaType = '', data = ''] = /^data:([a-z]+\/[a-z0-9.+-]+);base64,(.*)$/s.exec(url) ?? [];
  if (data === '') throw new Refusal('invalid_request', `${at}: the image must be a base64 data URL.`, at);
  return readPicture(mediaType, data, at);
}

/** A client that sends a picture as text pays for thousands of tokens and shows the model nothing. The vendors accept it; this server tells. */
export function checkText(text: string, at: string): string {
  if (AS_BASE64.test(text)) throw new Refusal('invalid_request', `${at}: the text holds an image as base64.`, at);
  if (AS_BYTES.test(text)) throw new Refusal('invalid_request', `${at}: the text holds the bytes of an image.`, at);
  return text;
}
