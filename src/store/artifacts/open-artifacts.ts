/**
 * Artifacts by where they are: a folder, or a bucket.
 * @example
 * const artifacts = await openArtifacts('s3://waymark/team?endpoint=https://minio.example:9000');
 */
import type { Artifacts } from './artifacts.ts';
import { FolderArtifacts } from './folder-artifacts.ts';
import { isS3Address, parseS3Address } from './s3-address.ts';

export async function openArtifacts(place: string): Promise<Artifacts> {
  if (!isS3Address(place)) return new FolderArtifacts(place);
  const address = parseS3Address(place);
  return (await import('./s3-artifacts.ts')).S3Artifacts.open(address);
}
