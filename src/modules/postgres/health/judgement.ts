/** `unknown`: it could not be looked at, and the summary says why. */
export const severities = ['critical', 'warning', 'unknown', 'ok'] as const;
export type Severity = (typeof severities)[number];

export interface Finding {
  readonly severity: 'critical' | 'warning';
  /** What it is and what it means. */
  readonly what: string;
  /** What to do: mostly the SQL to run. */
  readonly fix: string;
}

/** What a check says. */
export interface Judgement {
  readonly severity: Severity;
  /** One sentence, also if all is well. */
  readonly summary: string;
  /** The gravest first. */
  readonly findings: readonly Finding[];
}

export const worst = (all: readonly Severity[]): Severity => severities.find((one) => all.includes(one)) ?? 'ok';

/** The findings, the gravest first, with a summary for each case. */
export function judged(
  findings: readonly Finding[],
  summary: { readonly bad: string; readonly ok: string },
): Judgement {
  const sorted = severities.flatMap((severity) => findings.filter((one) => one.severity === severity));
  const severity = worst(sorted.map((one) => one.severity));
  return { severity, summary: severity === 'ok' ? summary.ok : summary.bad, findings: sorted };
}
