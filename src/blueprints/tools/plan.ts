import { z } from 'zod';
import { planView } from '../service/plan-view.ts';
import { blueprintTool, inputsInput, nameInput } from '../tool.ts';

export const plan = blueprintTool({
  name: 'blueprint_plan',
  title: 'Plan a deployment',
  description:
    'Shows what deploying a blueprint would do, step by step with the inputs filled in, which steps need a confirmation or an approval, and how they would be undone. Changes nothing.',
  effect: 'read',
  phrases:
    'plan a blueprint; what would happen; dry run of a blueprint; preview the deployment; which steps would it take; simulate provisioning',
  recorded: ['name', 'from'],
  input: z.strictObject({
    name: nameInput,
    inputs: inputsInput,
    from: z.int().min(0).optional().describe('How many steps to skip, to see the rest of a long plan'),
  }),
  output: planView,
  examples: [{ title: 'With inputs', arguments: { name: 'onboard-project', inputs: { project: 'shop' } } }],
  run: async ({ name, inputs = {}, from }, deps, { principal }) =>
    (await deps.open()).plan({ name, inputs, principal, from }),
});
