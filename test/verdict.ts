/** What a run of the tests amounts to, when the files that failed were run once more, alone. */
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
}

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Failed at first and passed alone: a race, to be mended. */
  readonly flaky: readonly string[];
  readonly broken: readonly string[];
}

/** More than this is no race, and running it all again would tell nothing new. */
const MOST_AGAIN = 15;

const hasFailed = ({ status, assertionResults }: FileResult): boolean =>
  status === 'failed' || assertionResults.some((test) => test.status === 'failed');

const failedFiles = ({ report }: Run): string[] => report.testResults.filter(hasFailed).map(({ name }) => name);

/** The files to run once more. None where something failed that is in no file, such as an error nobody caught. */
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
  const broken = results.filter(hasFailed).map(({ name }) => name);
  const flaky = [...repeated].filter((name) => !broken.includes(name) && results.some((file) => file.name === name));
  const missing = [...repeated].filter((name) => !results.some((file) => file.name === name));
  // A file that could not be loaded has no test that failed; an error outside of the tests is in no file at all.
  const decisive = again ?? first;
  const outside = decisive.code !== 0 && failedFiles(decisive).length === 0 ? 1 : 0;
  const unloaded = results.filter(
    (file) => hasFailed(file) && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length;
  return {
    passed: count('passed'),
    failed: count('failed') + unloaded + missing.length + outside,
    skipped: count('pending', 'skipped', 'todo'),
    flaky,
    broken: [...broken, ...missing],
  };
}
