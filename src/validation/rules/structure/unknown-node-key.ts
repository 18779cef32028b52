import { nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { Fix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { nodeKeys } from '../../structure/node-keys.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';

/** n8n's API refuses them all. To run, only those matter that were meant to be something. */
export const unknownNodeKey: Rule = {
  id: 'unknown-node-key',
  group: 'structure',
  title: 'A node has no keys that n8n does not know, misspelt ones and parameters outside "parameters" above all.',
  severity: { save: 'error', run: 'warning', publish: 'warning' },
  fixesSafely: true,
  check({ nodes, purpose }, report) {
    for (const node of nodes) {
      for (const key of Object.keys(node.raw)) {
        if (nodeKeys.has(key)) continue;
        const { meant, fix } = meaningOf(node, key);
        if (meant === undefined && purpose !== 'save') continue;
        report({
          path: pointer(node.pointer, key),
          node: node.name,
          message: `n8n knows no "${shown(key)}" in a node. ${meant ?? 'Take it out.'}`,
          fix,
        });
      }
    }
  },
};

function meaningOf(
  { raw, pointer: base, description, parameters }: NodeView,
  key: string,
): { meant?: string; fix: Fix } {
  const from = pointer(base, key);
  const removal = { op: 'remove', path: from } as const;
  const isParameter = description?.properties.some(({ name }) => name === key) ?? false;
  if (isParameter && !Object.hasOwn(parameters, key)) {
    const isThere = Object.hasOwn(raw, 'parameters');
    const target = pointer(base, 'parameters', key);
    return {
      meant: 'It is a parameter: put it into "parameters".',
      fix: {
        description: `Put "${key}" into "parameters".`,
        safe: false,
        changes: `The parameter "${key}" begins to count.`,
        patch: isThere
          ? [removal, { op: 'add', path: target, value: raw[key] }]
          : [removal, { op: 'add', path: pointer(base, 'parameters'), value: { [key]: raw[key] } }],
      },
    };
  }
  const [near] = key.length < 4 ? [] : nearestNames(key, nodeKeys, 1).filter((name) => !Object.hasOwn(raw, name));
  if (near !== undefined) {
    return {
      meant: `Did you mean "${near}"?`,
      fix: {
        description: `Rename "${shown(key)}" to "${near}".`,
        safe: false,
        changes: `"${near}" begins to count.`,
        patch: [removal, { op: 'add', path: pointer(base, near), value: raw[key] }],
      },
    };
  }
  return { fix: { description: `Take "${shown(key)}" out.`, safe: true, patch: [removal] } };
}
