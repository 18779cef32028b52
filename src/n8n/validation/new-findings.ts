import type { Finding } from '../../validation/finding.ts';
import { pointerNames } from '../../validation/json/json-pointer.ts';

interface Held {
  readonly nodes: readonly { readonly id?: string | undefined; readonly name: string }[];
}

/** What is found now and was not before. A node that was renamed or has another place is the same node. */
export function newFindings(
  now: { readonly workflow: Held; readonly findings: readonly Finding[] },
  before: { readonly workflow: Held; readonly findings: readonly Finding[] },
): Finding[] {
  const known = new Map<string, number>();
  for (const finding of before.findings) {
    const key = keyOf(finding, before.workflow);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return now.findings.filter((finding) => {
    const key = keyOf(finding, now.workflow);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

/** The rule and the place, by ids instead of indexes and names. */
function keyOf({ rule, path }: Finding, { nodes }: Held): string {
  const [section, first, ...rest] = pointerNames(path);
  if (section === 'nodes' && first !== undefined) {
    const node = nodes[Number(first)];
    return JSON.stringify([rule, section, node?.id ?? node?.name ?? first, rest]);
  }
  if (section === 'connections' && first !== undefined) {
    const node = nodes.find(({ name }) => name === first);
    // Which output, but not which of its wires: others may have come before it.
    return JSON.stringify([rule, section, node?.id ?? first, rest.slice(0, 2)]);
  }
  return JSON.stringify([rule, path]);
}
