import { z } from 'zod';
import { blueprintTool, runInput } from '../tool.ts';
import { runHeadView } from '../service/run-view.ts';

export const approve = blueprintTool({
  name: 'blueprint_approve',
  title: 'Approve or refuse a step',
  description:
    'Decides about a step that waits for a person; blueprint_status shows the call with its arguments. An approval holds for that call only. Ask the user first: this is his decision. Who deployed the run cannot approve it with the same key.',
  effect: 'execute',
  scope: 'blueprint:approve',
  phrases:
    'approve a step; give the go for the deployment; refuse the approval; say yes to the blueprint; allow it to go live; reject the run; decide an approval',
  input: z.strictObject({
    run: runInput,
    step: z.string().max(100).optional().describe('The step that waits; default: the one that does'),
    ask: z.string().max(100).optional().describe('"ask" of blueprint_status: refused if another call waits by now'),
    approve: z.boolean().describe('false refuses it: the run fails'),
    comment: z.string().max(1000).optional().describe('Why; kept with the run'),
  }),
  output: runHeadView,
  examples: [
    {
      title: 'Approve',
      arguments: { run: 'promote-workflow-5f1c09a2b3', step: 'go', approve: true, comment: 'Tested' },
    },
  ],
  async run({ run, step, ask, approve: approved, comment }, deps, { principal }) {
    const { control, viewHead } = await deps.open();
    return viewHead(await control.approve(run, { step, ask, approved, comment }, principal));
  },
});
