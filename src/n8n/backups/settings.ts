import { join } from 'node:path';
import { z } from 'zod';
import { integer } from '../../host/config/scalars.ts';

/** Backups of n8n's workflows: how many, how long, and where. */
export const backupsSection = z
  .strictObject({
    /** How many of each workflow. */
    keep: integer(1, 1000).default(10),
    days: integer(1, 3650).optional(),
    directory: z.string().min(1, 'must name a directory').optional(),
    layout: z.enum(['versions', 'git']).default('versions'),
  })
  .superRefine(({ directory, layout }, context) => {
    if (layout !== 'git' || directory !== undefined) return;
    context.addIssue({
      code: 'custom',
      path: ['layout'],
      message: 'is git, but there is no directory',
      params: { fix: 'Add directory: the checkout, or a folder in it, for the workflow files.' },
    });
  });

/** The git layout has one file per workflow. Uncommitted states would be lost, so the home keeps all backups as well. */
export function backupPlaces({ keep, days, directory, layout }: z.output<typeof backupsSection>, home: string) {
  const own = join(home, 'backups');
  return {
    keep,
    days,
    directory: layout === 'git' ? own : (directory ?? own),
    git: layout === 'git' ? directory : undefined,
  };
}
