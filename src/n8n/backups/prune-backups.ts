import { z } from 'zod';
import { counted, someOf } from '../../kernel/some-of.ts';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { noneOf } from './backup-input.ts';
import type { Backups } from './backups.ts';

const MOST_NAMED = 20;

export const pruneBackups = n8nTool({
  name: 'n8n_prune_backups',
  unlisted: true,
  title: 'Prune backups',
  description:
    'Deletes old automatic backups of workflows, by number and age; the newest of each workflow always stays. "all" includes backups that were asked for, those of whole instances and the first of each day. "dry_run" only shows what would be deleted. Copies in S3 are deleted, too. Without arguments it applies the configured limits, as every new backup does.',
  effect: 'delete',
  phrases:
    'delete old backups; clean up backups; keep only the newest backups; free the space taken by backups; backups older than some days; remove snapshots; reduce the number of saved copies; thin out backups; backup retention; too many backups, remove some; delete snapshots older than a month; keep the last ten backups; tidy up the backups; backups use too much disk; shrink the backup storage; throw away old copies; backups are eating my disk; keep two weeks of snapshots, drop the rest; discard outdated copies; delete all but the last three backups; reduce backup storage; expire old snapshots; limit number of backups; throw out ancient copies; trim the snapshots; remove outdated backups; fewer backups; clear backup space; only keep recent backups; backup cleanup',
  tags: ['backups'],
  input: {
    instance: instanceInput.describe('Only this n8n. Default: all of them; in S3, all that are connected'),
    workflow: z.string().min(1).max(200).optional().describe('Only backups of the workflow with this id'),
    keep: z.int().min(1).max(1000).optional().describe('How many of each workflow to keep. Default: as configured'),
    days: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe('Delete those older than this many days. Default: as configured'),
    all: z
      .boolean()
      .optional()
      .describe(
        'Include backups that were asked for, of whole instances (unless "workflow") and the first of each day',
      ),
    dry_run: z.boolean().optional().describe('Delete nothing'),
  },
  output: z.object({
    deleted: z.number(),
    kept: z.number(),
    bytes: z.number().describe('Space that becomes free'),
    would_go: z.number().optional().describe('dry_run: how many would be deleted'),
    examples: z.array(z.string()).optional().describe('Some of their ids'),
    note: z.string().optional().describe('What was left alone, and why'),
  }),
  examples: [{ title: 'Show what would be deleted', arguments: { keep: 3, days: 90, dry_run: true } }],
  async preview({ instance, workflow, keep, days, all = false }, { backups, instances }) {
    await assertSome(backups, instance, workflow);
    const { ids, bytes, kept } = await backups.prune({ instance, workflow }, limitsOf(keep, days), {
      all,
      dryRun: true,
      instances: instances.names(),
    });
    if (ids.length === 0) return undefined;
    return `It deletes ${counted(ids.length, 'backup')} (${bytes} bytes) for good: ${someOf(ids)}. ${kept} stay.`;
  },
  async run({ instance, workflow, keep, days, all = false, dry_run = false }, { backups, instances }) {
    await assertSome(backups, instance, workflow);
    const {
      ids,
      bytes,
      kept,
      unasked,
      others = [],
    } = await backups.prune({ instance, workflow }, limitsOf(keep, days), {
      all,
      dryRun: dry_run,
      instances: instances.names(),
    });
    return {
      deleted: dry_run ? 0 : ids.length,
      kept: dry_run ? kept + ids.length : kept,
      bytes,
      ...(dry_run && { would_go: ids.length }),
      ...(ids.length > 0 && { examples: ids.slice(0, MOST_NAMED) }),
      ...(unasked !== undefined
        ? { note: `Copies in S3 were left alone: ${unasked}` }
        : others.length > 0 && {
            note: `Left alone in S3, because no such n8n is connected: ${someOf(others)}. Name one as "instance" to prune it.`,
          }),
    };
  },
});

async function assertSome(backups: Backups, instance: string | undefined, workflow: string | undefined): Promise<void> {
  if (workflow === undefined) return;
  const { found, unasked } = await backups.list({ instance, workflow });
  if (found.length === 0) throw await noneOf(backups, instance, workflow, unasked);
}

const limitsOf = (keep: number | undefined, days: number | undefined) => ({
  ...(keep !== undefined && { keep }),
  ...(days !== undefined && { days }),
});
