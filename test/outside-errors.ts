import { writeFileSync } from 'node:fs';

/** Records files with errors outside of any test, which the JSON report leaves out. */
export default class OutsideErrors {
  onTestRunEnd(_: unknown, errors: readonly { readonly VITEST_TEST_PATH?: unknown }[]): void {
    const files = errors.map(({ VITEST_TEST_PATH: file }) => (typeof file === 'string' ? file : null));
    writeFileSync(process.env.SLUICE_OUTSIDE_ERRORS as string, JSON.stringify(files));
  }
}
