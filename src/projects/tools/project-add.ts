import { z } from 'zod';
import { formerly } from '../../kernel/callable.ts';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notForChecks } from '../only-reads.ts';
import type { Check, NewItem } from '../project.ts';
import type { CheckGateway } from '../status/asking.ts';
import { LONGEST_NOTE, textOf } from '../texts.ts';
import { authorOf, keyInput, keyOf, keyOutput, projectInput, projectTool, shownKey } from '../tool.ts';

const LARGEST_ARGUMENTS = 2000;

export const projectAdd = projectTool({
  name: 'project_add',
  title: 'Add to a project',
  description:
    'Adds a workflow, repository, container, database (schema, or module/schema), queue, memory namespace, blueprint, MCP server, URL or note to a project, or replaces the item of that kind and name. project_status then checks it: by its kind, or with a tool of your choice that only reads.',
  effect: 'update',
  phrases:
    'add a workflow to a project; add this repository to the project; put a container into a project; attach a database to a project; add a note to the project; this workflow belongs to the project; link a url with the project; track this queue in the project; check it with this tool; change the note of an item; include a server in the items of a project',
  input: z.strictObject({
    project: projectInput,
    ...keyInput,
    note: z.string().max(5000).optional().describe(`Up to ${LONGEST_NOTE} characters`),
    check: z
      .strictObject({
        tool: z.string().min(1).max(200).describe('A tool that only reads'),
        arguments: z.record(z.string(), z.unknown()).optional().describe('Its arguments'),
      })
      .optional()
      .describe('Checks it instead of the usual tool for its kind'),
  }),
  output: z.object({
    project: z.string(),
    ...keyOutput,
    replaced: z.literal(true).optional(),
    checked_by: z.string().optional().describe('The tool that project_status asks; absent: it is only shown'),
  }),
  examples: [
    { title: 'A workflow', arguments: { project: 'Web shop', kind: 'workflow', name: 'Send invoices' } },
    {
      title: 'With a check of its own',
      arguments: {
        project: 'Web shop',
        kind: 'other',
        name: 'Stock level',
        check: { tool: 'redis_get_key', arguments: { key: 'stock:total' } },
      },
    },
  ],
  async run({ project: name, note = '', check: wanted, ...key }, { open, gateway, refuse }, { principal }) {
    refuse({ 'The item': key, 'The note': note, 'The check': wanted });
    const text = textOf(note, 'The note', LONGEST_NOTE);
    const check = wanted && checked({ tool: wanted.tool, arguments: wanted.arguments ?? {} }, gateway, principal);
    const item: NewItem = { ...keyOf(key), ...(text !== '' && { note: text }), ...(check && { check }) };
    const projects = await open();
    const { project, replaced } = await projects.add(name, item, authorOf(principal));
    const { defaultChecks } = await import('../checks/default-checks.ts');
    const by = check?.tool ?? defaultChecks.get(item.kind)?.tool({ ...item, id: 0, addedAt: '', addedBy: '' });
    return {
      project,
      ...shownKey(item),
      ...(replaced && { replaced }),
      ...(by !== undefined && { checked_by: by }),
    };
  },
});

/** Refuses what may not be a check. It is judged again when it runs: the tool may be another one by then. */
function checked(check: Check, { visibility }: CheckGateway, principal: Principal): Check {
  const tool = visibility.projection({ view: {}, principal }).find(check.tool);
  if (!tool)
    throw new AppError(
      'not_found',
      `The check names ${shown(check.tool)}, which is no tool that this key may use. Give its full name, for example docker_inspect_container.`,
    );
  // Kept under its name of today, with the arguments of today.
  const args = formerly(tool, check.tool)?.(check.arguments) ?? check.arguments;
  const refused = notForChecks(tool, args);
  if (refused) throw refused;
  const size = JSON.stringify(args).length;
  if (size > LARGEST_ARGUMENTS)
    throw new AppError(
      'invalid_input',
      `The arguments of the check take ${size} characters as JSON, and at most ${LARGEST_ARGUMENTS} fit.`,
    );
  return { tool: tool.name, arguments: args };
}
