/**
 * V8 compiles WebAssembly functions that are called often a second time, several at once. Those of the embedded database are so large that this
 * takes half a gigabyte at the start. Measured with 2,000 items, compiled once instead of twice: at most 724 to 774 MiB instead of 1,125 to 1,244
 * at the first start and 507 instead of 1,060 at later ones; processor time of scoring about the same, of reads 0 to 47 % more. An
 * import of 10,000 items by a server that has done two before takes 17 to 34 % more of it (medians of 9 and of 5 interleaved rounds).
 * One compilation at a time, and a second one only for what is called fifteen times as often, saved little.
 */
import { setFlagsFromString } from 'node:v8';

/** Before the database is compiled. For the whole process: what else it has of WebAssembly is small. */
export function compileWasmOnce(): void {
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
}
