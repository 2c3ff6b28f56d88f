/**
 * `node scripts/make-checkout-snapshot.ts`: the empty database that a checkout's first start begins with. To be made again when the embedded
 * database has a new version, or when its migrations were changed; new migrations are applied to the one that is there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';
import { checkoutSnapshot } from '../src/store/snapshot.ts';
import { cachedSnapshot } from './build-store.ts';

const archive = gunzipSync(readFileSync(await cachedSnapshot()));
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MAX_QUALITY, BROTLI_MAX_WINDOW_BITS } = constants;
const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS };
const file = checkoutSnapshot();
writeFileSync(file, brotliCompressSync(archive, { params }));
process.stdout.write(`${file}\n`);
