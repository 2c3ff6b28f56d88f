/**
 * How a script is given to OpenChrome. Its `javascript_tool` runs code with a newline, ";" or "return" in an async function whose promise it
 * does not await, and answers "{}" (seen in 1.7.15). One expression is evaluated as it is, so any other script is packed into one.
 */
const PACKED = /^await eval\(decodeURIComponent\("([^"]*)"\)\)$/;

/** @example oneExpression('1 + 1') // => 'await (1 + 1)' */
export function oneExpression(code: string): string {
  if (!/[\n;]|\breturn\b/.test(code)) return `await (${code})`;
  const encoded = encodeURIComponent(`(${code}\n)`).replaceAll('return', 'retur%6E');
  return `await eval(decodeURIComponent("${encoded}"))`;
}

/** The script that an expression runs. */
export function unpacked(expression: string): string {
  const encoded = PACKED.exec(expression)?.[1];
  if (encoded === undefined) return expression;
  try {
    return decodeURIComponent(encoded).replace(/^\(([\s\S]*)\n\)$/, '$1');
  } catch {
    // It is not one of ours.
    return expression;
  }
}
