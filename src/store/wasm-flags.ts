/**
 * V8 compiles WebAssembly functions that are called often a second time, which makes them faster. One function of the embedded
 * database, its parser of SQL, takes 575 MiB of memory for that (`--trace-wasm-compilation-times`), the next ones 38 and less. V8 decides when a
 * function is compiled for the first time, which is when it is first called, whether its calls are counted.
 */
import { setFlagsFromString } from 'node:v8';

/** What is called for the first time in `work` is compiled once. For the whole process: what else it has of WebAssembly is small. */
export async function compiledOnce(work: () => Promise<unknown>): Promise<void> {
  // "Only the function with this number": no program has so many.
  setFlagsFromString('--wasm-tier-up-filter=100000000');
  try {
    await work();
  } finally {
    setFlagsFromString('--wasm-tier-up-filter=-1');
  }
}

/**
 * V8 frees WebAssembly code that was replaced. While other threads use WebAssembly too (Node's own remover of types does), that has ended
 * processes: nodejs/node#64500 has stacks. Kept, it was not more memory than differs between two starts.
 */
export function keepReplacedCode(): void {
  setFlagsFromString('--no-wasm-code-gc');
}
