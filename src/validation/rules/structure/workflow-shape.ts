import type { Fix } from '../../finding.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** Without nodes and connections in the right shape nothing else can be checked. */
export const workflowShape: Rule = {
  id: 'workflow-shape',
  group: 'structure',
  title: 'A workflow has a list of nodes and a "connections" object.',
  severity: 'error',
  fixesSafely: true,
  check({ workflow }, report) {
    const nodes = own(workflow, 'nodes');
    if (nodes === undefined || nodes === null) {
      report({
        path: nodes === null ? '/nodes' : '',
        message: 'The workflow has no "nodes". Add the list of its nodes.',
      });
    } else if (!Array.isArray(nodes)) {
      report({
        path: '/nodes',
        message: `"nodes" must be a list of nodes, each with its name, not ${kindOf(nodes)}.`,
      });
    }
    const connections = own(workflow, 'connections');
    if (connections === undefined) {
      report({
        path: '',
        message:
          'The workflow has no "connections". Add an object with source node names as keys, or {} if there are none.',
        fix: { ...emptyObject('add'), ...refused },
      });
    } else if (!isRecord(connections)) {
      const empty = connections === null || (Array.isArray(connections) && connections.length === 0);
      report({
        path: '/connections',
        message: `"connections" must be an object with source node names as keys, { "A": { "main": [[{ "node": "B", "type": "main", "index": 0 }]] } }, not ${kindOf(connections)}.`,
        ...(empty && {
          // n8n reads an empty list like an empty object.
          fix: { ...emptyObject('replace'), ...(connections === null ? refused : { safe: true }) },
        }),
      });
    }
  },
};

const refused = {
  safe: false,
  changes: 'The workflow runs, but no trigger leads anywhere. Now n8n fails on it.',
} as const;

function emptyObject(op: 'add' | 'replace'): Omit<Fix, 'safe' | 'changes'> {
  return {
    description: 'Set "connections" to an empty object.',
    patch: [{ op, path: '/connections', value: {} }],
  };
}
