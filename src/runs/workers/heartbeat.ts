/** Does something again and again, one after the other, until it is disposed. What fails is tried again at the next beat. */
export function startHeartbeat(
  beat: () => Promise<void>,
  everyMs: number,
  onError: (error: unknown) => void,
): AsyncDisposable {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let beating: Promise<void> = Promise.resolve();
  const next = (): void => {
    if (isOver) return;
    timer = setTimeout(() => {
      beating = beat().catch(onError).then(next);
    }, everyMs);
  };
  next();
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearTimeout(timer);
      await beating;
    },
  };
}
