import { isRecord, own } from '../../json/record.ts';
import { misplacedSettings } from '../../structure/node-keys.ts';
import type { Rule } from '../../rule.ts';
import type { Fix } from '../../finding.ts';
import type { NodeView } from '../../subject/subject.ts';

/** n8n silently ignores a node setting inside "parameters": a node with "onError" there still stops the run. */
export const misplacedNodeSetting: Rule = {
  id: 'misplaced-node-setting',
  group: 'structure',
  title: 'Node settings (onError, retryOnFail, credentials, …) are next to "parameters", not inside it.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  fixesSafely: true,
  supersedes: ['unknown-parameter'],
  check({ nodes }, report) {
    for (const node of nodes) {
      // An unknown type may have a parameter of this name.
      if (!node.description) continue;
      for (const key of Object.keys(node.parameters)) {
        if (!misplacedSettings.has(key) || node.description.properties.some(({ name }) => name === key)) continue;
        report({
          path: `${node.pointer}/parameters/${key}`,
          node: node.name,
          message: `"${key}" is not a parameter: n8n ignores it here. Move it next to "parameters".`,
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
  // The same setting in the right place already applies.
  if (there !== undefined && !(key === 'credentials' && isRecord(there) && Object.keys(there).length === 0)) {
    return {
      description: `Remove "${key}" here: it is already set next to "parameters".`,
      safe: true,
      patch: [{ op: 'remove', path: from }],
    };
  }
  return {
    description: `Move "${key}" next to "parameters".`,
    safe: false,
    changes: `"${key}" takes effect.`,
    patch: [
      { op: 'remove', path: from },
      { op: 'add', path: `${pointer}/${key}`, value },
    ],
  };
}
