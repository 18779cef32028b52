import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { cursorOutput, pageInput, pageOf } from '../page.ts';
import { changeOf, changeOutput } from './changes.ts';

const NAME = 'n8n_get_source_control';

export const getSourceControl = n8nTool({
  name: NAME,
  title: 'Source control status',
  description:
    'Compares an n8n with its Git branch: what n8n_pull_source_control would change here, and what n8n_push_source_control would commit.',
  effect: 'read',
  phrases:
    'source control status; what changed compared to git; uncommitted workflows in n8n; is n8n in step with the git branch; pending changes to push; what would a pull change; git status of n8n; environments of n8n; are there conflicts with the repository; differences between instance and branch; which workflows are not in git yet; local changes that were not pushed; what is left to commit; changes waiting for a push; compare n8n with the remote branch',
  tags: ['source-control'],
  input: {
    direction: z.enum(['pull', 'push']).optional().describe('Only what comes from Git, or only what goes there'),
    ...pageInput,
  },
  output: z.object({
    changes: z.array(changeOutput.extend({ direction: z.enum(['pull', 'push']) })),
    total: z.number(),
    conflicts: z.number(),
    cursor: cursorOutput,
  }),
  async run({ direction, ...page }, { client }, { signal }) {
    const rows = [];
    for (const one of direction === undefined ? (['pull', 'push'] as const) : [direction]) {
      const changes = await client.sourceControl.changes(one, signal);
      rows.push(...changes.map((change) => ({ direction: one, ...changeOf(change) })));
    }
    const head = { total: rows.length, conflicts: rows.filter(({ conflict }) => conflict).length };
    const { items, ...rest } = pageOf(NAME, { instance: client.name, direction }, rows, page, head);
    return { changes: items, ...head, ...rest };
  },
});
