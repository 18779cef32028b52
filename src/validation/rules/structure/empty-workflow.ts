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
      report({ path: '/nodes', message: 'The workflow is empty. Begin with a trigger, and connect what it is to do.' });
    } else if (nodes.length === listed.length && nodes.every(({ sticky }) => sticky)) {
      report({ path: '/nodes', message: 'There is nothing but notes here. Begin with a trigger.' });
    } else if (nodes.length === listed.length && nodes.every(({ sticky, disabled }) => sticky || disabled)) {
      report({
        path: '/nodes',
        message: 'Every node is disabled: nothing would happen. Enable those that are to run.',
      });
    }
  },
};
