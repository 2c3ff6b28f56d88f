/** What goes wrong with a bucket, as sentences. */
import { type ErrorCode, messageOf, WaymarkError } from '../../errors/index.ts';
import { type S3Address, showS3Address } from './s3-address.ts';

/** Both of the object and of the bucket: the answer to a HEAD has no body that would tell. */
export function isAbsent(thrown: unknown): boolean {
  return ['NotFound', 'NoSuchKey'].includes(nameOf(thrown));
}

export function s3Problem(thrown: unknown, address: S3Address): WaymarkError {
  if (thrown instanceof WaymarkError) return thrown;
  const where = showS3Address(address);
  const [name, status] = [nameOf(thrown), statusOf(thrown)];
  const problem = (code: ErrorCode, message: string, hint: string) =>
    new WaymarkError({ code, message, hint, cause: thrown });
  if (name === 'NoSuchBucket' || (status === 404 && isAbsent(thrown))) {
    return problem(
      'artifacts_bucket_missing',
      `There is no bucket ${where}.`,
      'Make it first, or correct --artifacts.',
    );
  }
  if (name === 'CredentialsProviderError' || /credential/i.test(name)) {
    return problem(
      'artifacts_credentials_missing',
      `There are no keys for ${where}.`,
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.',
    );
  }
  if (status === 401 || status === 403) {
    return problem(
      'artifacts_denied',
      `${where} refuses these keys${name === 'Unknown' ? '' : ` (${name})`}.`,
      'They need s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject on what is in it.',
    );
  }
  if (status === 301 || status === 307) {
    return problem('artifacts_region', `${where} is in another region.`, 'Name its region: s3://bucket?region=….');
  }
  if (status === undefined) {
    return problem(
      'artifacts_unreachable',
      `${where} can't be reached: ${causeOf(thrown)}.`,
      'Is the endpoint right, and does this machine reach it?',
    );
  }
  return problem(
    'artifacts_failed',
    `${where} answered ${status}: ${messageOf(thrown)}.`,
    'Try again; if it stays so, look at the log of the store.',
  );
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}

function statusOf(thrown: unknown): number | undefined {
  return (thrown as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** Node tells several failed addresses in one error without words. */
function causeOf(thrown: unknown): string {
  const [first] = thrown instanceof AggregateError ? (thrown.errors as unknown[]) : [thrown];
  return messageOf(first);
}
