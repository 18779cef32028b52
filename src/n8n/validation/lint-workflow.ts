import { judgingTool } from './judging-tool.ts';

export const lintWorkflow = judgingTool({
  name: 'n8n_lint_workflow',
  title: 'Lint workflow',
  description:
    'Looks for bad habits in a workflow that works: names that say nothing, no error handling, deprecated nodes, too much in one place. None of these stop the workflow from running.',
  groups: ['lint'],
  phrases:
    'check the style of a workflow; find bad habits; is it clean and well written; best practices; deprecated nodes; names that mean nothing; code smells in an automation; quality of my workflow; maintainability; missing error handling; is the workflow tidy; does it follow conventions; code quality of a flow; check naming; hints on cleanliness; smells; are node names meaningful; old or deprecated nodes in the workflow; sloppy parts of a flow; how clean is this flow; any anti-patterns; is it good style; would a reviewer complain; readability; are there ugly spots; technical debt of a workflow; does it follow best practice; conventions and names; judge the craftsmanship of a flow; is it good work; style problems; naming and hygiene; review for maintainability; how tidy; is the workflow robust; missing error handlers; criticise the quality',
  example: { title: 'Lint a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
