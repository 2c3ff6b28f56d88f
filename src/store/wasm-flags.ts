/**
 * V8 compiles WebAssembly functions that are called often a second time, several at once. Those of the embedded database are so large that this
 * takes half a gigabyte at the start. Measured with 2,000 items, compiled once instead of twice: at most 510 to 720 MiB instead of 1,070 to
 * 1,240; processor time of imports and scoring the same or less, of reads 7 to 47 % more. One compilation at a time saved no memory.
 */
import { setFlagsFromString } from 'node:v8';

/** Before the database is compiled. For the whole process: what else it has of WebAssembly is small. */
export function compileWasmOnce(): void {
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
}
