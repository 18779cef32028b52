import type { Finding, Severity } from '../../../src/validation/finding.ts';
import type { Trial } from './trial.ts';

/** What is wrong with the verdict; undefined if it is right. */
export function misjudged(trial: Trial, findings: readonly Finding[], wanted: Severity | 'none'): string | undefined {
  const said = findings.map(({ rule, severity, path, message }) => `${severity} ${rule} ${path}: ${message}`);
  const of = (severity: Severity) => findings.filter((finding) => finding.severity === severity);
  // Hints are fine. A warning about a valid workflow is a false alarm.
  if (wanted === 'none') return of('error').length + of('warning').length === 0 ? undefined : said.join('\n');
  const hits = findings.filter(
    (finding) =>
      (finding.severity === 'error' || finding.severity === wanted) &&
      (finding.node === trial.at || finding.path.startsWith(pointerOf(trial))) &&
      (trial.about?.test(finding.message) ?? true),
  );
  if (hits.length === 0) return said.join('\n') || 'no findings';
  // An error instead of a warning would stop people who are right.
  if (wanted === 'warning' && !trial.orError && of('error').length > 0) return `an error:\n${said.join('\n')}`;
  return undefined;
}

function pointerOf({ at = '' }: Trial): string {
  return at === '' || at.startsWith('/') ? at : '\0';
}
