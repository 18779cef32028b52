/** The CPU time in milliseconds. Wall time depends on what else the machine is doing. */
export function cpuTime<T>(run: () => T): { result: T; ms: number } {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}
