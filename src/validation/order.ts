import { type Finding, severities } from './finding.ts';
import { pointerNames } from './json/json-pointer.ts';

/** The order in which people read a workflow. */
const sections = ['name', 'nodes', 'connections', 'settings'];

/** By place, then by severity, then by rule: the same findings always come in the same order. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return findings
    .map((finding) => ({ finding, place: pointerNames(finding.path) }))
    .sort(
      (a, b) =>
        compared(a.place, b.place) ||
        severities.indexOf(a.finding.severity) - severities.indexOf(b.finding.severity) ||
        alphabetical(a.finding.rule, b.finding.rule) ||
        alphabetical(a.finding.message, b.finding.message),
    )
    .map(({ finding }) => finding);
}

function compared(a: readonly string[], b: readonly string[]): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const [one, other] = [a[index] as string, b[index] as string];
    if (one === other) continue;
    return index === 0 ? section(one) - section(other) || alphabetical(one, other) : numbersFirst(one, other);
  }
  return a.length - b.length;
}

function section(name: string): number {
  const place = sections.indexOf(name);
  return place === -1 ? sections.length : place;
}

const digits = /^\d{1,9}$/;

function numbersFirst(a: string, b: string): number {
  return digits.test(a) && digits.test(b) ? Number(a) - Number(b) || alphabetical(a, b) : alphabetical(a, b);
}

// By code unit, not by locale, so that the order is the same on every machine.
function alphabetical(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
