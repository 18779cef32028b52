import { z } from 'zod';
import { AppError, toAppError } from '../../../kernel/errors.ts';
import { quoted } from '../../../kernel/some-of.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { N8nClient } from '../../client/client.ts';
import type { SourceChange } from '../../client/source-control.ts';
import type { N8nDeps } from '../../tool.ts';
import { n8nTool } from '../../tool.ts';
import { changeOf, changeOutput, inWords, needNoConflicts } from './changes.ts';

export const pullSourceControl = n8nTool({
  name: 'n8n_pull_source_control',
  title: 'Pull from Git',
  description:
    'Brings the Git branch into this n8n. Overwrites workflows that differ; each is backed up first. If both sides changed, n8n refuses unless "force".',
  effect: 'update',
  confirms: true,
  phrases:
    'pull from git; bring the branch into n8n; update n8n from the repository; deploy from git to this instance; get the newest workflows from git; overwrite local changes with git; sync n8n with the branch; source control pull; roll out the main branch; fetch what was merged',
  tags: ['source-control'],
  input: {
    force: z.boolean().optional().describe('Overwrite what changed here'),
    publish: z
      .enum(['none', 'all', 'published'])
      .optional()
      .describe('Publish pulled workflows: all, or those that are live now. Default: none'),
  },
  output: z.object({
    changes: z.array(changeOutput),
    total: z.number(),
    more: z.number().optional().describe('How many are not listed here'),
    backups: z.number().describe('How many workflows were backed up'),
  }),
  async preview({ force }, { client }, { signal }) {
    const changes = await client.sourceControl.changes('pull', signal);
    if (changes.length === 0) return undefined;
    const how = force ? ' What changed here is overwritten.' : '';
    return `It changes n8n (${client.name}) to what is in Git: ${inWords(changes)}.${how} Workflows are backed up first.`;
  },
  async run({ force = false, publish = 'none' }, { client, backups }, { signal }, progress) {
    const coming = await client.sourceControl.changes('pull', signal);
    const kept = await keepBefore(client, backups, coming, signal);
    progress(0, undefined, 'pulling');
    signal.throwIfAborted();
    const answer = await client.sourceControl.pull({ force, autoPublish: publish });
    const done = needNoConflicts(answer, 'pulled').map(changeOf);
    const shown = done.slice(0, fittingItems(done));
    return {
      changes: shown,
      total: done.length,
      ...(shown.length < done.length && { more: done.length - shown.length }),
      backups: kept,
    };
  },
});

/** Backs up the workflows that exist here and would change. */
async function keepBefore(
  client: N8nClient,
  backups: N8nDeps['backups'],
  changes: readonly SourceChange[],
  signal: AbortSignal,
): Promise<number> {
  let kept = 0;
  for (const { type, id, name } of changes) {
    if (type !== 'workflow') continue;
    const workflow = await client.workflows.get(id, signal).catch((thrown: unknown) => {
      const error = toAppError(thrown);
      if (error.code === 'not_found') return undefined;
      if (error.code === 'cancelled') throw error;
      throw new AppError(
        error.code,
        `Nothing was pulled: ${quoted(name)} (${id}) cannot be backed up. ${error.message}`,
        { cause: error, ...(error.data && { data: error.data }) },
      );
    });
    if (!workflow) continue;
    await backups.keep(client.name, workflow, 'update');
    kept++;
  }
  return kept;
}
