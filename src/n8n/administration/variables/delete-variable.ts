import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { counted, quoted, someOf } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Variable } from '../../client/variables.ts';
import { scanWorkflows } from '../../find/scan.ts';
import { placesIn } from '../../mapping/places.ts';
import { n8nTool } from '../../tool.ts';
import { namedWorkflow } from '../../workflows/dependents.ts';
import { projectInput } from '../projects/project-input.ts';
import { unlessRefused } from '../refused.ts';
import { lookUpVariable, type WantedVariable } from './known-variables.ts';

export const deleteVariable = n8nTool({
  name: 'n8n_delete_variable',
  title: 'Delete variable',
  description: 'Deletes a variable for good. Workflows that use it get undefined; the preview names them.',
  effect: 'delete',
  phrases:
    'delete a variable; remove an n8n variable; drop $vars; get rid of a global variable; variable is not needed any more; erase a variable of a project; clean up variables; unset a variable; throw away a constant',
  tags: ['variables'],
  input: {
    key: z.string().min(1).max(50).describe('Its name'),
    project: projectInput.optional().describe('Project id or name. Default: the one of the whole n8n'),
  },
  output: z.object({ id: z.string(), key: z.string() }),
  async preview(input, { client }, { signal }) {
    const { id, key } = await existing(client, input, signal);
    return `It deletes the variable ${quoted(key)} (${id}) for good. ${await usersOf(client, key, signal)}`;
  },
  async run(input, { client }, { signal }) {
    const { id, key } = await existing(client, input, signal);
    signal.throwIfAborted();
    await client.variables.delete(id);
    return { id, key };
  },
});

async function existing(client: N8nClient, wanted: WantedVariable, signal: AbortSignal): Promise<Variable> {
  const { variable, all } = await lookUpVariable(client, wanted, signal);
  if (variable) return variable;
  const elsewhere = all.find(({ key }) => key === wanted.key);
  const where = elsewhere?.project ? `the project "${elsewhere.project.name}" has it` : 'the whole n8n has it';
  const near = nearestNames(
    wanted.key,
    all.map(({ key }) => key),
  );
  const advice = elsewhere ? `But ${where}.` : didYouMean(inQuotes(near), 'n8n_list_variables shows them.');
  throw new AppError('not_found', `No variable "${shown(wanted.key)}" here. Nothing was deleted. ${advice}`);
}

async function usersOf(client: N8nClient, key: string, signal: AbortSignal): Promise<string> {
  const all = await unlessRefused(scanWorkflows(client, signal));
  if (!all) return 'Workflows may use it: the API key may not list workflows.';
  const users = all.filter((one) => placesIn(one).some((place) => place.kind === 'variable' && place.name === key));
  if (users.length === 0) return 'No workflow uses it.';
  return `${counted(users.length, 'workflow')} will miss it: ${someOf(users.map(namedWorkflow))}.`;
}
