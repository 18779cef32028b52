import { judgingTool } from './judging-tool.ts';

export const lintWorkflow = judgingTool({
  name: 'n8n_lint_workflow',
  title: 'Lint workflow',
  description:
    'Looks for bad habits in a workflow that works: names that say nothing, no handling of errors, deprecated nodes, too much in one place. Nothing of it keeps the workflow from running.',
  groups: ['lint'],
  example: { title: 'Of a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
