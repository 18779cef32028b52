/** Keeps track of the services of one test run, and of the process whose end ends them. */
export interface Services {
  readonly directory: string;
  readonly runner: number;
}

export function announce({ directory, runner }: Services): void {
  process.env.SLUICE_TEST_SERVICES = directory;
  process.env.SLUICE_TEST_RUNNER = String(runner);
}

export function services(): Services {
  const { SLUICE_TEST_SERVICES: directory, SLUICE_TEST_RUNNER: runner } = process.env;
  if (!directory || !runner) throw new Error('Services are there in a test run only: see test/support/setup.ts.');
  return { directory, runner: Number(runner) };
}
