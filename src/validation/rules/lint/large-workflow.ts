import type { Rule } from '../../rule.ts';

const MANY = 30;

export const largeWorkflow: Rule = {
  id: 'large-workflow',
  group: 'lint',
  title: 'A workflow is small enough to understand.',
  severity: 'info',
  check(subject, report) {
    const count = subject.nodes.filter(({ sticky }) => !sticky).length;
    if (count <= MANY) return;
    report({
      path: '/nodes',
      message: `${count} nodes are hard to follow and to test. Move parts that belong together into separate workflows, and call them with Execute Workflow.`,
    });
  },
};
