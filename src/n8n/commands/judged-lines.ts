import type { Finding, Severity } from '../../validation/finding.ts';
import type { Judged } from './judged-file.ts';
import { firstLine } from '../../cli/table.ts';
import type { Style, Terminal } from '../../host/terminal.ts';

const styles: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'dim' };

/** The findings of one workflow, for people. */
export function judgedLines(
  { title, report: { findings }, region, changes }: Judged,
  paint: Terminal['paint'],
): string[] {
  if (findings.length === 0 && changes.length === 0) return [];
  const placed = findings
    .map((finding) => ({ finding, start: region(finding)?.start ?? { line: 0, column: 0 } }))
    .sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column);
  const places = placed.map(({ finding, start }) => (start.line > 0 ? `${start.line}:${start.column}` : finding.path));
  const width = Math.min(40, Math.max(0, ...places.map((place) => place.length)));
  return [
    paint('bold', firstLine(title)),
    ...changes.map((line) => `  ${line}`),
    ...placed.flatMap(({ finding }, index) => lines(finding, (places[index] as string).padEnd(width), paint)),
    '',
  ];
}

function lines({ rule, severity, node, message, fix }: Finding, place: string, paint: Terminal['paint']): string[] {
  const about = node === undefined ? '' : `"${firstLine(node)}": `;
  const word = paint(styles[severity], severity.padEnd(7));
  return [
    `  ${place}  ${word}  ${about}${firstLine(message)}  ${paint('dim', rule)}`,
    ...(fix
      ? [
          `      ${fix.safe ? 'fix (--fix does it)' : `likely fix (--also ${rule})`}: ${firstLine(fix.description)}${fix.safe ? '' : ` (${firstLine(fix.changes)})`}`,
        ]
      : []),
  ];
}

/** The result in one line. */
export function summaryLine(judged: readonly Judged[], what: 'workflow' | 'file'): string {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { report } of judged) {
    for (const severity of ['error', 'warning', 'info'] as const) counts[severity] += report.counts[severity];
  }
  const bad = judged.filter(({ report }) => !report.valid).length;
  const all = `${judged.length} ${what}${judged.length === 1 ? '' : 's'}`;
  const found = `${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counted(counts.info, 'hint')}`;
  return bad === 0 ? `${all} checked: no errors (${found}).` : `${all} checked, ${bad} with errors: ${found}.`;
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The findings of one workflow, for programs. */
export function judgedData({ about, report, region, changes }: Judged, fix: boolean) {
  return {
    ...about,
    valid: report.valid,
    counts: report.counts,
    findings: report.findings.map((finding) => {
      const { rule, severity, node = null, path, message, fix: remedy } = finding;
      const start = region(finding)?.start;
      return { rule, severity, node, path, ...start, message, ...(remedy && { fix: remedy }) };
    }),
    ...(fix && { changes }),
  };
}
