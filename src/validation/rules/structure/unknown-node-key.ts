import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { Fix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { nodeKeys } from '../../structure/node-keys.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';

/** n8n's API refuses all of them. For a run only those matter that were meant as a setting or a parameter. */
export const unknownNodeKey: Rule = {
  id: 'unknown-node-key',
  group: 'structure',
  title: 'A node has no keys that n8n does not know, such as misspelt settings or parameters outside "parameters".',
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
          message: `n8n does not know "${shown(key)}" in a node. ${meant ?? 'Remove it.'}`,
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
      meant: 'It is a parameter: move it into "parameters".',
      fix: {
        description: `Move "${key}" into "parameters".`,
        safe: false,
        changes: `The parameter "${key}" takes effect.`,
        patch: isThere
          ? [removal, { op: 'add', path: target, value: raw[key] }]
          : [removal, { op: 'add', path: pointer(base, 'parameters'), value: { [key]: raw[key] } }],
      },
    };
  }
  const [near] = key.length < 4 ? [] : nearestNames(key, nodeKeys, 1).filter((name) => !Object.hasOwn(raw, name));
  if (near !== undefined) {
    return {
      meant: didYouMean(inQuotes([near])),
      fix: {
        description: `Rename "${shown(key)}" to "${near}".`,
        safe: false,
        changes: `"${near}" takes effect.`,
        patch: [removal, { op: 'add', path: pointer(base, near), value: raw[key] }],
      },
    };
  }
  return { fix: { description: `Remove "${shown(key)}".`, safe: true, patch: [removal] } };
}
