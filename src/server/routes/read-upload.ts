/** The bytes of an upload: the body as it is, or the one file of a form. The body's limit has been applied before. */
import type { Context } from 'hono';
import { WaymarkError } from '../../errors/index.ts';
import type { AppEnv } from '../route-module.ts';

export interface Upload {
  bytes: Buffer;
  /** Without parameters, in lower case; of the form's file where there is a form. */
  type: string;
  /** Fields of the form beside the file. */
  fields: ReadonlyMap<string, string>;
}

export async function readUpload(c: Context<AppEnv>, allowed: readonly string[]): Promise<Upload> {
  const type = mediaType(c.req.header('content-type'));
  if (!allowed.includes(type)) {
    throw new WaymarkError({
      code: 'unsupported_media',
      message: type === '' ? 'The request does not say what it brings.' : `${type.slice(0, 100)} can't be read here.`,
      hint: `Send one of: ${allowed.join(', ')}.`,
    });
  }
  if (type !== 'multipart/form-data') {
    return { bytes: Buffer.from(await c.req.arrayBuffer()), type, fields: new Map() };
  }
  const form = await c.req.formData().catch(() => {
    throw new WaymarkError({ code: 'request_invalid', message: "The form can't be read." });
  });
  const entries = [...form.entries()];
  const files = entries.flatMap(([, value]) => (typeof value === 'string' ? [] : [value]));
  const [file] = files;
  if (!file || files.length > 1) {
    throw new WaymarkError({
      code: 'request_invalid',
      message: `The form brings ${files.length} files; one is needed.`,
      issues: [{ path: 'file', code: 'file', message: 'Send one file, in the field "file".' }],
    });
  }
  const fields = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return { bytes: Buffer.from(await file.arrayBuffer()), type: mediaType(file.type), fields: new Map(fields) };
}

function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
