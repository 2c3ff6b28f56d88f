import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startS3, type TestS3 } from '../support/s3.ts';
import { testTypedPage } from './test-typed-page.ts';

let postgres: TestPostgres;
let s3: TestS3;
let database: string;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  database = await postgres.database('waymark');
});
afterAll(async () => {
  await postgres?.stop();
  await s3?.[Symbol.asyncDispose]();
});

testTypedPage('how-to/many-machines.md', { commands: 5, files: 0 }, () => ({
  DATABASE_URL: database,
  ARTIFACTS: s3.address,
  ...s3.keys,
}));
