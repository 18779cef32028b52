import { isRecord, own } from '../../json/record.ts';
import { misplacedSettings } from '../../structure/node-keys.ts';
import type { Rule } from '../../rule.ts';
import type { Fix } from '../../finding.ts';
import type { NodeView } from '../../subject/subject.ts';

/** Among the parameters it is ignored without a word: the node stops the run although it is told to go on. */
export const misplacedNodeSetting: Rule = {
  id: 'misplaced-node-setting',
  group: 'structure',
  title: 'Settings of a node (onError, retryOnFail, credentials, …) stand beside its parameters, not among them.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  fixesSafely: true,
  supersedes: ['unknown-parameter'],
  check({ nodes }, report) {
    for (const node of nodes) {
      // Of a type that is not known, it may be a parameter.
      if (!node.description) continue;
      for (const key of Object.keys(node.parameters)) {
        if (!misplacedSettings.has(key) || node.description.properties.some(({ name }) => name === key)) continue;
        report({
          path: `${node.pointer}/parameters/${key}`,
          node: node.name,
          message: `"${key}" is no parameter: here n8n ignores it. Put it beside "parameters".`,
          fix: moved(node, key),
        });
      }
    }
  },
};

function moved({ raw, parameters, pointer }: NodeView, key: string): Fix {
  const from = `${pointer}/parameters/${key}`;
  const there = own(raw, key);
  const value = parameters[key];
  // What stands in the right place counts already.
  if (there !== undefined && !(key === 'credentials' && isRecord(there) && Object.keys(there).length === 0)) {
    return { description: `Take "${key}" out: it is set beside.`, safe: true, patch: [{ op: 'remove', path: from }] };
  }
  return {
    description: `Put "${key}" beside "parameters".`,
    safe: false,
    changes: `"${key}" begins to count.`,
    patch: [
      { op: 'remove', path: from },
      { op: 'add', path: `${pointer}/${key}`, value },
    ],
  };
}
