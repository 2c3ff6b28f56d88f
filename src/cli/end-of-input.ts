/** The SDK's transport does not report that its client is gone, and a command that keeps running keeps what it has open. */
export function endOfInput(): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve(undefined));
  return promise;
}
