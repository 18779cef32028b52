/** Ends waiting before the call itself is ended, so that there is time to say what has been seen so far. */
export function patience(
  signal: AbortSignal,
  timeoutMs: number,
  seconds: number | undefined,
): { readonly signal: AbortSignal; readonly seconds: number; isOver(): boolean } {
  const most = Math.max(timeoutMs * 0.8, timeoutMs - 3000);
  const ms = Math.min(most, seconds === undefined ? most : seconds * 1000);
  const over = AbortSignal.timeout(ms);
  return {
    signal: AbortSignal.any([signal, over]),
    seconds: Math.round(ms / 100) / 10,
    isOver: () => over.aborted && !signal.aborted,
  };
}
