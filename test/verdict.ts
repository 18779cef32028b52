/** The result of a test run, after the failed files were run once more, alone. */
export interface Report {
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  /** The path of the file. */
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

export interface Run {
  readonly code: number;
  readonly report: Report;
  /** The files with an error outside of any test; null if nobody knows which. */
  readonly outside: readonly (string | null)[];
}

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Failed at first and passed alone: a race that needs a fix. */
  readonly flaky: readonly string[];
  readonly broken: readonly string[];
}

/** More failures than this are not races, and running them all again would show nothing new. */
const MOST_AGAIN = 15;

const hasFailed = ({ status, assertionResults }: FileResult): boolean =>
  status === 'failed' || assertionResults.some((test) => test.status === 'failed');

const failedFiles = ({ report, outside }: Run): string[] => [
  ...new Set([
    ...report.testResults.filter(hasFailed).map(({ name }) => name),
    ...outside.filter((name) => name !== null),
  ]),
];

/** The files to run once more. */
export function filesToRepeat(first: Run): string[] {
  const files = failedFiles(first);
  return files.length <= MOST_AGAIN ? files : [];
}

export function verdictOf(first: Run, again?: Run): Verdict {
  const repeated = new Set(again ? filesToRepeat(first) : []);
  const results = [
    ...first.report.testResults.filter(({ name }) => !repeated.has(name)),
    ...(again?.report.testResults.filter(({ name }) => repeated.has(name)) ?? []),
  ];
  const count = (...wanted: string[]) =>
    results.reduce(
      (sum, file) => sum + file.assertionResults.filter(({ status }) => wanted.includes(status)).length,
      0,
    );
  const outside = (again ?? first).outside;
  const isBroken = (file: FileResult) => hasFailed(file) || outside.includes(file.name);
  const missing = [...repeated].filter((name) => !results.some((file) => file.name === name));
  const broken = [...results.filter(isBroken).map(({ name }) => name), ...missing];
  // A file that could not be loaded, or had an error outside of its tests, has no failed test.
  const testless = results.filter(
    (file) => isBroken(file) && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length;
  // Any other end of a run belongs to no file, so it is not a race.
  const unknown = [first, ...(again ? [again] : [])].filter(
    (run) => run.outside.includes(null) || (run.code !== 0 && failedFiles(run).length === 0),
  ).length;
  return {
    passed: count('passed'),
    failed: count('failed') + testless + missing.length + unknown,
    skipped: count('pending', 'skipped', 'todo'),
    flaky: [...repeated].filter((name) => !broken.includes(name)),
    broken,
  };
}
