import type { Fix } from '../../finding.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** Without its nodes and connections in the right form there is no workflow to speak of. */
export const workflowShape: Rule = {
  id: 'workflow-shape',
  group: 'structure',
  title: 'A workflow has a list of nodes and an object of connections.',
  severity: 'error',
  fixesSafely: true,
  check({ workflow }, report) {
    const nodes = own(workflow, 'nodes');
    if (nodes === undefined || nodes === null) {
      report({
        path: nodes === null ? '/nodes' : '',
        message: 'The workflow has no "nodes". Give the list of its nodes.',
      });
    } else if (!Array.isArray(nodes)) {
      report({
        path: '/nodes',
        message: `"nodes" has to be a list of nodes, each with its name, not ${kindOf(nodes)}.`,
      });
    }
    const connections = own(workflow, 'connections');
    if (connections === undefined) {
      report({
        path: '',
        message:
          'The workflow has no "connections". Give them by name of the source node; an empty object, if there are none.',
        fix: { ...emptyObject('add'), ...refused },
      });
    } else if (!isRecord(connections)) {
      const empty = connections === null || (Array.isArray(connections) && connections.length === 0);
      report({
        path: '/connections',
        message: `"connections" has to be an object by name of the source node, { "A": { "main": [[{ "node": "B", "type": "main", "index": 0 }]] } }, not ${kindOf(connections)}.`,
        ...(empty && {
          // Of a list n8n makes as much as of an object without entries.
          fix: { ...emptyObject('replace'), ...(connections === null ? refused : { safe: true }) },
        }),
      });
    }
  },
};

const refused = {
  safe: false,
  changes: 'n8n fails at the workflow now; then it runs, and each trigger leads nowhere.',
} as const;

function emptyObject(op: 'add' | 'replace'): Omit<Fix, 'safe' | 'changes'> {
  return {
    description: 'Give the workflow an empty object of connections.',
    patch: [{ op, path: '/connections', value: {} }],
  };
}
