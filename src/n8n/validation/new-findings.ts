import type { Finding } from '../../validation/finding.ts';
import { pointerNames } from '../../validation/json/json-pointer.ts';

interface Held {
  readonly nodes: readonly { readonly id?: string | undefined; readonly name: string }[];
}

/** Findings that are new since `before`. A renamed or moved node is still the same node. */
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

/** Identifies a finding by rule and place, with node ids instead of indexes and names. */
function keyOf({ rule, path }: Finding, { nodes }: Held): string {
  const [section, first, ...rest] = pointerNames(path);
  if (section === 'nodes' && first !== undefined) {
    const node = nodes[Number(first)];
    return JSON.stringify([rule, section, node?.id ?? node?.name ?? first, rest]);
  }
  if (section === 'connections' && first !== undefined) {
    const node = nodes.find(({ name }) => name === first);
    // Use the output but not the index of the connection: others may have been inserted before it.
    return JSON.stringify([rule, section, node?.id ?? first, rest.slice(0, 2)]);
  }
  return JSON.stringify([rule, path]);
}
