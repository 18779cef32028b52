import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

export const emptyWorkflow: Rule = {
  id: 'empty-workflow',
  group: 'structure',
  title: 'A workflow has at least one node that does something.',
  severity: { save: 'info', run: 'error', publish: 'error' },
  supersedes: ['no-trigger'],
  check({ workflow, nodes }, report) {
    const listed = own(workflow, 'nodes');
    if (!Array.isArray(listed)) return;
    if (listed.length === 0) {
      report({ path: '/nodes', message: 'The workflow is empty. Add a trigger and connect the steps to it.' });
    } else if (nodes.length === listed.length && nodes.every(({ sticky }) => sticky)) {
      report({ path: '/nodes', message: 'The workflow has only sticky notes. Add a trigger.' });
    } else if (nodes.length === listed.length && nodes.every(({ sticky, disabled }) => sticky || disabled)) {
      report({
        path: '/nodes',
        message: 'Every node is disabled, so nothing would happen. Enable the nodes that should run.',
      });
    }
  },
};
