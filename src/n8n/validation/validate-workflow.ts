import { judgingTool } from './judging-tool.ts';

export const validateWorkflow = judgingTool({
  name: 'n8n_validate_workflow',
  title: 'Validate workflow',
  description:
    'Checks a workflow, by id or as JSON, against the nodes of this n8n: structure, parameters, connections, expressions, code, webhooks, credentials, good habits. Each finding says where it is, what is wrong and how to fix it.',
  guidance:
    'Before you create or change a workflow, check it here as JSON: this changes nothing. Purpose publish is the strictest. n8n_fix_workflow applies the safe fixes; make the others with n8n_edit_workflow.',
  phrases:
    'check a workflow; is my workflow correct; find errors in a workflow; validate json of a workflow; will this workflow work; check before publishing; review an automation; what is wrong with this workflow; look for mistakes in a flow; verify a workflow; is it valid; problems in a workflow; does this workflow make sense; can i publish it like this; is the json valid; check my automation for errors; are there mistakes in it; test if a workflow is well formed; examine a flow for problems; full check of a workflow; what is wrong with my flow; verify before deploying; proofread my workflow; is it ready to go live; can this work; sanity check; tell me all that is wrong in this json; would n8n accept this workflow; any errors in my flow; is there a mistake; check it; is it okay; have a look at my workflow and criticise; inspect a workflow before import; does it have problems; what must i fix before publishing; is the workflow complete; examine a flow for faults; is this ready for production; does the workflow have errors; check a flow; quality check; validate my workflow; can i go live with it; look over my workflow; is anything wrong with it; check json; find bugs in the flow; does it look right; is this workflow fine',
  example: { title: 'Can it go live?', arguments: { id: 'aB3xY9kLmN0pQrSt', purpose: 'publish' } },
});
