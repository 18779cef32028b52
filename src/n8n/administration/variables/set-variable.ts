import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { projectInput } from '../projects/project-input.ts';
import { lookUpVariable, VARIABLE_KEY } from './known-variables.ts';

export const setVariable = n8nTool({
  name: 'n8n_set_variable',
  title: 'Set variable',
  description: 'Creates a variable, or changes its value if it exists. Workflows read it as $vars.KEY.',
  effect: 'update',
  phrases:
    'set a variable; create an n8n variable; change the value of a variable; add $vars; new global variable; update a variable of a project; store a constant for all workflows; variable should have another value; define a variable; switch a variable to production; put the base url into a variable; overwrite a variable',
  tags: ['variables'],
  input: {
    key: z
      .string()
      .min(1)
      .max(50)
      .regex(VARIABLE_KEY, 'may have letters, digits and _, and may not begin with a digit')
      .describe('Its name: letters, digits and _'),
    value: z.string().max(1000).describe('Its value, up to 1000 characters'),
    project: projectInput.optional().describe('Project id or name. Default: it holds for the whole n8n'),
  },
  // The value may be a secret.
  recorded: ['instance', 'key', 'project'],
  output: z.object({ key: z.string(), created: z.boolean(), changed: z.boolean() }),
  async run({ key, value, project }, { client }, { signal }) {
    const { variable, projectId } = await lookUpVariable(client, { key, project }, signal);
    const body = { key, value, ...(projectId !== undefined && { projectId }) };
    if (variable?.value === value) return { key, created: false, changed: false };
    signal.throwIfAborted();
    if (variable) await client.variables.update(variable.id, body);
    else await client.variables.create(body);
    return { key, created: !variable, changed: true };
  },
});
