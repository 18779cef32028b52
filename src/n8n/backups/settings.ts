import { join } from 'node:path';
import { z } from 'zod';
import { integer } from '../../host/config/scalars.ts';
import { isPem } from '../../kernel/pem.ts';
import type { Limits } from './backups.ts';
import { type S3Settings, s3Section } from './s3/settings.ts';

/** Backups of n8n's workflows: how many, how long, and where. */
export const backupsSection = z
  .strictObject({
    /** How many of each workflow. */
    keep: integer(1, 1000).default(10),
    days: integer(1, 3650).optional(),
    /** Of all backups where they are written first, in MB. */
    maxSize: integer(1, 10_000_000).default(10_240),
    directory: z.string().min(1, 'must name a directory').optional(),
    layout: z.enum(['versions', 'git']).default('versions'),
    s3: s3Section.optional(),
  })
  .superRefine(({ directory, layout, s3 }, context) => {
    if (layout === 'git' && directory === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['layout'],
        message: 'is git, but there is no directory',
        params: { fix: 'Add directory: the checkout, or a folder in it, for the workflow files.' },
      });
    }
    if (layout === 'versions' && directory !== undefined && s3?.mode === 'only') {
      context.addIssue({
        code: 'custom',
        path: ['directory'],
        message: 'is not used, because s3.mode is only',
        params: { fix: 'Remove it, or set s3.mode to copy.' },
      });
    }
  });

type BackupsSection = z.output<typeof backupsSection>;

export interface BackupSettings extends Limits {
  /** Of all backups in the first place. */
  readonly maxBytes?: number | undefined;
  /** Holds one file for each backup. */
  readonly directory: string;
  /** A directory for git. Holds one file for each workflow: its newest backup. */
  readonly git?: string | undefined;
  readonly s3?: (S3Settings & Limits) | undefined;
}

/** The git layout has one file per workflow. Uncommitted states would be lost, so the home keeps all backups as well. */
export function backupSettings(section: BackupsSection, home: string): BackupSettings {
  const { keep, days, maxSize, directory, layout, s3 } = section;
  const own = join(home, 'backups');
  return {
    keep,
    days,
    maxBytes: maxSize * 1024 * 1024,
    directory: layout === 'git' ? own : (directory ?? own),
    git: layout === 'git' ? directory : undefined,
    // A bucket with a limit of its own has only that one.
    s3: s3 && { ...s3, keep: s3.keep ?? keep, days: s3.days ?? (s3.keep === undefined ? days : undefined) },
  };
}

/** Makes paths absolute: they are relative to the file. */
export function anchoredBackups(section: BackupsSection, resolve: (path: string) => string): BackupsSection {
  const { directory, s3 } = section;
  return {
    ...section,
    ...(directory !== undefined && { directory: resolve(directory) }),
    ...(s3?.ca !== undefined && !isPem(s3.ca) && { s3: { ...s3, ca: resolve(s3.ca) } }),
  };
}
