import { writeFileSync } from 'node:fs';

/** Notes where errors came up outside of any test: the JSON report knows nothing of them. */
export default class OutsideErrors {
  onTestRunEnd(_: unknown, errors: readonly { readonly VITEST_TEST_PATH?: unknown }[]): void {
    const files = errors.map(({ VITEST_TEST_PATH: file }) => (typeof file === 'string' ? file : null));
    writeFileSync(process.env.SLUICE_OUTSIDE_ERRORS as string, JSON.stringify(files));
  }
}
