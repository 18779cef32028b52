import { z } from 'zod';
import { AppError, toAppError } from '../../../kernel/errors.ts';
import { someOf } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Workflow } from '../../client/shapes.ts';
import { referencesIn } from '../../credentials/references.ts';
import { type N8nDeps, n8nTool } from '../../tool.ts';
import { writable } from '../../workflows/body.ts';
import { projectOf } from '../../workflows/project.ts';
import { fitted, moreOutput } from '../fitted.ts';
import { type Plan, planned, type Step } from './plan.ts';

const ids = z.array(z.string().trim().min(1).max(100)).max(100).optional();

const item = z.object({ kind: z.enum(['workflow', 'credential']), id: z.string(), name: z.string() });
type Item = z.output<typeof item>;

export const move = n8nTool({
  name: 'n8n_move',
  title: 'Move workflows and credentials',
  description:
    'Moves workflows and credentials to another project, or workflows to a folder of a project. Checks everything before it moves anything. If one fails, it stops and says which were moved.',
  effect: 'update',
  phrases:
    'move workflows to another project; transfer a workflow to a team; put a workflow into a folder; move credentials to a project; hand over a workflow to a colleague; change the project of a workflow; change the owner of a workflow; give this credential to another team; relocate flows; sort workflows into a folder; workflow belongs in another project; transfer several workflows at once; take a workflow out of its folder; move from personal to team project',
  tags: ['projects', 'folders', 'workflows', 'credentials'],
  input: {
    workflows: ids.describe('Workflow ids; n8n_list_workflows shows them'),
    credentials: ids.describe('Credential ids; n8n_list_credentials shows them'),
    to_project: z
      .string()
      .trim()
      .min(1)
      .max(255)
      .describe('Project id or name, or the e-mail address of a user for their personal project'),
    to_folder: z.string().trim().max(2000).optional().describe('Folder path or id in it; "/" is the top level'),
  },
  output: z.object({
    project: z.object({ id: z.string(), name: z.string().optional() }),
    folder: z.string().optional(),
    moved: z.array(item),
    unchanged: z.array(item).optional().describe('Were there already'),
    stopped_at: item.extend({ error: z.string() }).optional().describe('The first that failed'),
    not_moved: z.array(item).optional().describe('After the one that failed'),
    more: moreOutput,
    note: z.string().optional(),
  }),
  examples: [{ title: 'Two workflows', arguments: { workflows: ['id1', 'id2'], to_project: 'Marketing' } }],
  async run(input, { client, backups }, { signal }, progress) {
    const plan = await planned(input, client, signal);
    const moved: Item[] = [];
    const unchanged: Item[] = [];
    const head = { project: plan.project, ...(plan.folder && { folder: plan.folder.path }) };
    const report = (stopped: { stopped_at?: Item & { error: string } } = {}, notMoved: Item[] = []) => {
      const besides = { ...head, ...stopped, ...noteFor(plan, moved) };
      const { lists, ...more } = fitted({ not_moved: notMoved, moved, unchanged }, besides);
      return {
        ...besides,
        moved: lists.moved,
        ...(lists.unchanged.length > 0 && { unchanged: lists.unchanged }),
        ...(lists.not_moved.length > 0 && { not_moved: lists.not_moved }),
        ...more,
      };
    };
    for (const [index, step] of plan.steps.entries()) {
      const { kind, id, name } = step;
      try {
        signal.throwIfAborted();
        progress(index, plan.steps.length, name);
        const didMove =
          step.kind === 'workflow'
            ? await client.turns.take(id, () => moveWorkflow(client, backups, step.workflow, plan))
            : await moveCredential(client, step, plan);
        (didMove ? moved : unchanged).push({ kind, id, name });
      } catch (thrown) {
        const error = toAppError(thrown);
        if (moved.length === 0) throw error;
        const left = plan.steps.slice(index + 1).map((one) => ({ kind: one.kind, id: one.id, name: one.name }));
        return report({ stopped_at: { kind, id, name, error: error.message } }, left);
      }
    }
    return report();
  },
});

/** Whether there was anything to do. A transfer leads to the top level, so the folder is set after it. */
async function moveWorkflow(
  client: N8nClient,
  backups: N8nDeps['backups'],
  workflow: Workflow,
  { project, folder }: Plan,
): Promise<boolean> {
  const elsewhere = projectOf(workflow)?.id !== project.id;
  if (elsewhere) await client.workflows.transfer(workflow.id, project.id);
  if (!folder) return elsewhere;
  try {
    const now = await client.workflows.get(workflow.id);
    // n8n sets the folder only together with the whole workflow.
    await backups.keep(client.name, now, 'update');
    await client.workflows.update(now.id, { ...writable(now), parentFolderId: folder.id }, false);
  } catch (error) {
    const { code, message } = toAppError(error);
    if (!elsewhere) throw error;
    throw new AppError(code, `It is in the project now, but not in the folder: ${message}`, { cause: error });
  }
  return true;
}

async function moveCredential(
  client: N8nClient,
  { id, owner }: Extract<Step, { kind: 'credential' }>,
  { project }: Plan,
) {
  if (owner === project.id) return false;
  await client.credentials.transfer(id, project.id);
  return true;
}

/** Workflows cannot use credentials of another project unless they are shared with it. */
function noteFor({ project, steps, owners }: Plan, moved: readonly Item[]): { note?: string } {
  const done = new Set(moved.map(({ id }) => id));
  const left = new Map<string, string>();
  for (const step of steps) {
    if (step.kind !== 'workflow' || !done.has(step.id)) continue;
    for (const { id, name } of referencesIn(step.workflow)) {
      if (id === undefined || done.has(id)) continue;
      const owner = owners.get(id);
      if (owner !== undefined && owner !== project.id) left.set(id, `"${name}" (${id})`);
    }
  }
  if (left.size === 0) return {};
  return {
    note: `The moved workflows use credentials that stay in another project: ${someOf([...left.values()])}. Move them, too, or share them with the project in n8n.`,
  };
}
