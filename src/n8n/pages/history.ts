import type { Backup, Version } from './answers.ts';

/** A state of a workflow that can be compared or gone back to. */
export interface Past {
  /** As the comparison takes it: a version or the id of a backup. */
  readonly id: string;
  readonly kind: 'version' | 'backup';
  readonly at: string | undefined;
  /** What it is, in a few words. */
  readonly what: string;
  /** By whom, or why. */
  readonly by: string;
  readonly isDraft: boolean;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['asked', 'asked for'],
  ['update', 'before an update'],
  ['edit', 'before an edit'],
  ['delete', 'before it was deleted'],
  ['restore', 'before a restore'],
  ['archive', 'before it was archived'],
  ['promotion', 'before a promotion'],
]);

/** n8n's versions and Sluice's backups together, newest first. */
export function history(versions: readonly Version[], backups: readonly Backup[]): Past[] {
  const all: Past[] = [
    ...versions.map(({ version, saved, by = '', label, is }) => ({
      id: version,
      kind: 'version' as const,
      at: saved,
      what: is === undefined ? (label ?? 'Version in n8n') : `${capitalised(is)} in n8n${label ? `: ${label}` : ''}`,
      by,
      isDraft: is?.startsWith('draft') ?? false,
    })),
    ...backups.map(({ id, taken, reason, why, active }) => ({
      id,
      kind: 'backup' as const,
      at: taken,
      what: `Backup ${reasons.get(reason) ?? reason}${active ? ', was live' : ''}`,
      by: why === 'automatic' ? 'Sluice' : `Sluice, ${why}`,
      isDraft: false,
    })),
  ];
  return all.sort((a, b) => timeOf(b) - timeOf(a));
}

const timeOf = ({ at }: Past): number => (at === undefined ? 0 : new Date(at).getTime() || 0);
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
