import { judgingTool } from './judging-tool.ts';

export const validateCredentials = judgingTool({
  name: 'n8n_validate_credentials',
  title: 'Validate credentials',
  description:
    'Checks the credentials of a workflow: missing ones, ones of the wrong type, ones that do not exist in this n8n, and secrets that stand in headers, code or URLs instead.',
  groups: ['credentials'],
  example: { title: 'Of a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
