/** What it costs, in milliseconds of work: the time on the clock says more about who else is busy. */
export function cpuTime<T>(run: () => T): { result: T; ms: number } {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}
