import { judgingTool } from './judging-tool.ts';

export const validateWorkflow = judgingTool({
  name: 'n8n_validate_workflow',
  title: 'Validate workflow',
  description:
    'Checks a workflow, by id or as JSON, against the nodes of this n8n: structure, parameters, connections, expressions, code, webhooks, credentials, good habits. Each finding says where, what is wrong and how to put it right.',
  guidance:
    'Before you create or change a workflow, give it here as JSON: it costs nothing and changes nothing. Purpose publish is the strictest. n8n_fix_workflow applies the safe fixes, n8n_edit_workflow does the rest.',
  example: { title: 'Can it go live?', arguments: { id: 'aB3xY9kLmN0pQrSt', purpose: 'publish' } },
});
