import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { oneOf, shown } from '../../../kernel/nearest-names.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { quoted } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { SourceChange } from '../../client/source-control.ts';
import { n8nTool } from '../../tool.ts';
import { changeOf, changeOutput, inWords, needNoConflicts } from './changes.ts';

export const pushSourceControl = n8nTool({
  name: 'n8n_push_source_control',
  title: 'Push to Git',
  description:
    'Commits and pushes what changed in this n8n to its Git branch: everything, or only the named ids. n8n_get_source_control shows what there is.',
  effect: 'execute',
  confirms: true,
  phrases:
    'push to git; commit workflows from n8n; save n8n changes in the repository; send my workflow to git; source control push; put the changes on the branch; commit and push; publish workflows to the git repository; check in a workflow; version my changes in git',
  tags: ['source-control'],
  input: {
    message: z.string().trim().min(1).max(1000).describe('Commit message'),
    ids: z.array(z.string().min(1).max(200)).min(1).max(500).optional().describe('Ids to push. Default: all changes'),
    force: z.boolean().optional().describe('Overwrite what changed in Git'),
  },
  output: z.object({ pushed: z.array(changeOutput), total: z.number(), more: z.number().optional() }),
  async preview(input, { client }, { signal }) {
    const changes = await outgoing(client, input.ids, signal);
    if (changes.length === 0) return undefined;
    const how = input.force ? ' What changed in Git is overwritten.' : '';
    return `It commits to the Git branch of n8n (${client.name}) as ${quoted(input.message)}: ${inWords(changes)}.${how}`;
  },
  async run({ message, ids, force = false }, { client }, { signal }) {
    const changes = await outgoing(client, ids, signal);
    if (changes.length === 0) return { pushed: [], total: 0 };
    const fileNames = changes.map(({ id, type }) => ({ id, type }));
    signal.throwIfAborted();
    const answer = await client.sourceControl.push({ commitMessage: message, fileNames, force });
    const done = needNoConflicts(answer, 'pushed').map(changeOf);
    const listed = done.slice(0, fittingItems(done));
    return {
      pushed: listed,
      total: done.length,
      ...(listed.length < done.length && { more: done.length - listed.length }),
    };
  },
});

async function outgoing(
  client: N8nClient,
  ids: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<SourceChange[]> {
  const all = await client.sourceControl.changes('push', signal);
  if (!ids) return all;
  const missing = ids.filter((id) => !all.some((one) => one.id === id));
  if (missing.length > 0) {
    throw new AppError(
      'not_found',
      `${oneOf(missing.slice(0, 10).map((id) => shown(id)))} has no changes to push. Nothing was pushed. n8n_get_source_control shows what has.`,
    );
  }
  return all.filter(({ id }) => ids.includes(id));
}
