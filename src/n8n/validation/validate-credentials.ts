import { judgingTool } from './judging-tool.ts';

export const validateCredentials = judgingTool({
  name: 'n8n_validate_credentials',
  title: 'Validate credentials',
  description:
    'Checks the credentials of a workflow: missing ones, ones of the wrong type, ones that do not exist in this n8n, and secrets that stand in headers, code or URLs instead.',
  groups: ['credentials'],
  phrases:
    'are credentials missing in a workflow; check the credentials of a workflow; hard coded secrets in nodes; passwords in plain text; credential of the wrong type; which node has no login set; leaked api keys in code or urls; security check of a workflow; does every node have its login; any credentials missing; is a secret exposed in the workflow; api keys in plain text; are the right credentials assigned; find hard coded passwords or tokens; credential problems of a workflow; check logins used by the flow; are there keys in my code',
  example: { title: 'Of a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
