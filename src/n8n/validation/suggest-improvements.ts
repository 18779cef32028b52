import { judgingTool } from './judging-tool.ts';

export const suggestImprovements = judgingTool({
  name: 'n8n_suggest_improvements',
  title: 'Suggest improvements',
  description:
    'Says what could be done better in a workflow: nodes that can become one, work that can go in batches, limits of services that it may run into.',
  groups: ['suggestions'],
  example: { title: 'Of a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
