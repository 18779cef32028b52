import { judgingTool } from './judging-tool.ts';

export const validateExpressions = judgingTool({
  name: 'n8n_validate_expressions',
  title: 'Validate expressions',
  description:
    'Checks the expressions and the code of a workflow: syntax with positions, nodes and variables that do not exist, nodes that are not upstream, expressions where none are taken.',
  groups: ['expressions'],
  example: { title: 'Of a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
