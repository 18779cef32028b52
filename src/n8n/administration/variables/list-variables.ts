import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { cursorOutput, pageInput, pageOf } from '../page.ts';
import { existingProject } from '../projects/known-projects.ts';
import { projectInput } from '../projects/project-input.ts';
import { HIDDEN, isSecretVariable, withoutSecrets } from '../secrets.ts';

const NAME = 'n8n_list_variables';

export const listVariables = n8nTool({
  name: NAME,
  title: 'List variables',
  description:
    'Lists the variables of an n8n ($vars in expressions) with their values. Values of variables named like a secret (password, token, key, secret) are hidden.',
  effect: 'read',
  phrases:
    'list variables; which variables does n8n have; show $vars; value of an n8n variable; environment variables for workflows; global variables; variables of a project; what is $vars.REGION; is there a variable for the url; custom variables; constants shared by workflows; settings that workflows read; enumerate variables',
  tags: ['variables'],
  input: {
    text: z.string().min(1).max(50).optional().describe('Part of the key, ignoring case'),
    project: projectInput.optional().describe('Only those of this project, by id or name'),
    ...pageInput,
  },
  output: z.object({
    variables: z.array(
      z.object({
        id: z.string(),
        key: z.string(),
        value: z.string(),
        project: z.string().optional().describe('Name of its project; absent if it holds for the whole n8n'),
      }),
    ),
    total: z.number(),
    note: z.string().optional(),
    cursor: cursorOutput,
  }),
  async run({ text, project: wanted, ...page }, { client }, { signal }) {
    const all = await Array.fromAsync(client.variables.all(signal));
    const project = wanted === undefined ? undefined : (await existingProject(client, wanted, signal)).id;
    const part = text?.toLowerCase() ?? '';
    const rows = all
      .filter((one) => one.key.toLowerCase().includes(part) && (project === undefined || one.project?.id === project))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((one) => ({
        id: one.id,
        key: one.key,
        value: isSecretVariable(one.key) ? HIDDEN : withoutSecrets(one.value),
        ...(one.project && { project: one.project.name }),
      }));
    const { items, ...rest } = pageOf(NAME, { instance: client.name, text, project }, rows, page);
    const hides = items.some(({ value }) => value.includes(HIDDEN));
    return {
      variables: items,
      total: rows.length,
      ...(hides && { note: `${HIDDEN} stands for values that look like secrets. n8n shows them under Variables.` }),
      ...rest,
    };
  },
});
