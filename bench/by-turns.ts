export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Milliseconds of two ways to do the same. They alternate, and each goes first equally often: what n8n does hits both. */
export async function byTurns(times: number, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const one: number[] = [];
  const other: number[] = [];
  for (let n = 0; n < times; n++) {
    if (n % 2 === 0) one.push(await timed(first));
    other.push(await timed(second));
    if (n % 2 === 1) one.push(await timed(first));
  }
  return { one, other };
}
