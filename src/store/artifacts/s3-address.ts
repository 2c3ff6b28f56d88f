/**
 * `s3://bucket/prefix?endpoint=https://…&region=…`: where a bucket is. No keys: those come from the environment, as the SDK
 * looks for them.
 */
import { WaymarkError } from '../../errors/index.ts';
import { checkArtifactPrefix } from './artifact-key.ts';

export interface S3Address {
  bucket: string;
  /** Whole parts without a slash at the end; empty for the whole bucket. */
  prefix: string;
  /** Of a server that is not Amazon's. */
  endpoint: string | undefined;
  region: string | undefined;
}

const OPTIONS = ['endpoint', 'region'];

export function isS3Address(text: string): boolean {
  return text.startsWith('s3:');
}

export function parseS3Address(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) {
    throw refused(`"${withoutQuery(text)}" names no bucket.`);
  }
  if (url.username || url.password || url.port || url.hash) {
    throw refused('The address of a bucket holds no keys and no port.');
  }
  const unknown = [...url.searchParams.keys()].find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw refused(`The address of a bucket has no option "${unknown.slice(0, 50)}".`);
  const endpoint = url.searchParams.get('endpoint') || undefined;
  if (endpoint !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint)) {
    throw refused('endpoint is the address of a server, such as http://127.0.0.1:9000.');
  }
  return {
    bucket: url.hostname,
    prefix: checkArtifactPrefix(url.pathname.replace(/^\/|\/$/g, '')),
    endpoint,
    region: url.searchParams.get('region') || undefined,
  };
}

/** As people read it. */
export function showS3Address({ bucket, endpoint }: S3Address): string {
  return `s3://${bucket}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
}

function withoutQuery(text: string): string {
  return text.replace(/\?.*/s, '').slice(0, 100);
}

function refused(message: string): WaymarkError {
  return new WaymarkError({
    code: 'usage_artifacts_address',
    message,
    hint: 'For example: s3://bucket/prefix, or s3://bucket?endpoint=https://minio.example:9000&region=us-east-1. Keys are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or wherever else the AWS SDK finds them.',
  });
}
