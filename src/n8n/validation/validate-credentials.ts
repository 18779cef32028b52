import { judgingTool } from './judging-tool.ts';

export const validateCredentials = judgingTool({
  name: 'n8n_validate_credentials',
  title: 'Validate credentials',
  description:
    'Checks the credentials of a workflow: missing, of the wrong type, not existing in this n8n; and finds secrets in headers, code or URLs.',
  groups: ['credentials'],
  phrases:
    'are credentials missing in a workflow; check the credentials of a workflow; hard coded secrets in nodes; passwords in plain text; credential of the wrong type; which node has no login set; leaked api keys in code or urls; security check of a workflow; does every node have its login; any credentials missing; is a secret exposed in the workflow; api keys in plain text; are the right credentials assigned; find hard coded passwords or tokens; credential problems of a workflow; check logins used by the flow; are there keys in my code; does it contain secrets in clear text; has each node got a login; which nodes still need credentials; is a password visible in the flow; could the workflow leak a key; are the logins of this workflow all right; credentials not assigned; before sharing: remove secrets; is any node lacking its account; are tokens pasted into the nodes directly; missing logins; do the credentials fit; does the workflow have all logins it needs; secret scan; are there passwords in the flow; credential check; nodes without credential',
  example: { title: 'Check a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
