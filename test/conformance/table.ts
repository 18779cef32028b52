import type { Verdict, Verdicts } from './judge.ts';

/** One run of a set of scenarios, as a column of the table. */
export interface Column {
  readonly title: string;
  readonly verdicts: Verdicts;
  /** A baseline for others, not a result of ours. */
  readonly isGiven?: boolean;
}

const marks: Record<Verdict['kind'], string> = {
  pass: 'pass',
  same: 'as direct',
  fail: 'FAIL',
  excepted: 'exception',
  stale: 'STALE',
};

/** Scenarios down, runs across; an asterisk marks scenarios that the set reports without scoring. */
export function table(columns: readonly Column[], unscored: ReadonlySet<string>): string {
  const scenarios = [...new Set(columns.flatMap(({ verdicts }) => [...verdicts.keys()]))];
  const rows = scenarios.map((scenario) => [
    unscored.has(scenario) ? `${scenario} *` : scenario,
    ...columns.map(({ verdicts }) => {
      const verdict = verdicts.get(scenario);
      return verdict ? marks[verdict.kind] : '';
    }),
  ]);
  const totals = ['scored', ...columns.map(({ verdicts }) => score(verdicts, unscored))];
  return aligned([['', ...columns.map(({ title }) => title)], ...rows, totals]);
}

/** The problems of a run, with equal ones merged, and on request the exceptions it used. */
export function remarks({ title, verdicts, isGiven = false }: Column, verbose: boolean): string[] {
  if (isGiven && !verbose) return [];
  const scenarios = new Map<string, string[]>();
  for (const [scenario, verdict] of verdicts) {
    const remark = remarkOn(verdict, verbose);
    if (remark) scenarios.set(remark, [...(scenarios.get(remark) ?? []), scenario]);
  }
  return [...scenarios].map(([remark, names]) => `\n${title}: ${names.join(', ')}\n${remark}`);
}

function remarkOn(verdict: Verdict, verbose: boolean): string | undefined {
  if (verdict.kind === 'pass' || verdict.kind === 'same') return undefined;
  if (verdict.kind === 'excepted' && !verbose) return undefined;
  if (verdict.kind === 'stale') return `  STALE: it passes, though it is listed: ${verdict.reason}`;
  const details = verdict.problems.map(({ check, level, message }) => `  ${level} ${check}: ${message}`);
  return (verdict.kind === 'fail' ? details : [`  exception: ${verdict.reason}`, ...details]).join('\n');
}

function score(verdicts: Verdicts, unscored: ReadonlySet<string>): string {
  const scored = [...verdicts].filter(([scenario]) => !unscored.has(scenario));
  return `${scored.filter(([, { kind }]) => kind === 'pass').length}/${scored.length}`;
}

function aligned(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
