import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { backupNote, noneOf } from './backup-input.ts';
import type { BackupNote, Backups } from './backups.ts';

const NAME = 'n8n_list_backups';
const PAGE = 250;
const AT_ONCE = 32;

export const listBackups = n8nTool({
  name: NAME,
  title: 'List backups',
  description:
    'Lists backups, newest first: which workflow, when, before which change, and why each is kept (asked for, first of the day, automatic). Includes deleted workflows: find them by name. "whole" lists backups of whole n8n instances. The command sluice backup prune deletes old ones.',
  effect: 'read',
  phrases:
    'which backups are there; list the saved copies; when was the last backup; show snapshots; find the backup of a deleted workflow; restore points of a workflow; backup history; what can i restore; do i have a backup of this; show available snapshots; what copies exist; backups of a deleted automation; dates of the backups; which saved states can i go back to; list of restore points; was it backed up; from which days do we have copies; do we still have the flow that was removed; what snapshots are available; is there something to go back to; saved versions on disk; show backups of one workflow; how old is the newest backup; which backups exist for a workflow; what restore points are at hand; was my flow ever saved; which copies do you keep; backups by date; versions that i can bring back; look for a backup; existing snapshots; is there a copy of it somewhere',
  tags: ['backups'],
  input: {
    instance: instanceInput.describe('Only this n8n. Default: all of them'),
    workflow: z.string().min(1).max(200).optional().describe('Only backups of the workflow with this id'),
    name: z.string().min(1).max(200).optional().describe("Part of the workflow's name, ignoring case"),
    whole: z.boolean().optional().describe('List whole-instance backups instead'),
    limit: z.int().min(1).max(PAGE).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same filters'),
  },
  output: z.object({
    backups: z.array(backupNote).optional(),
    whole: z.array(z.object({ id: z.string(), instance: z.string(), taken: z.string(), bytes: z.number() })).optional(),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [{ title: 'Backups of a deleted workflow', arguments: { name: 'invoice' } }],
  async run({ instance, workflow, name, whole, limit, cursor }, { backups }) {
    const asked = { instance, workflow, name, whole };
    const { skip } = placeIn(NAME, asked, cursor);
    if (whole) {
      const all = (await backups.instances(instance)).slice(skip);
      const shown = all.slice(0, limit ?? fittingItems(all));
      const more = shown.length < all.length;
      return { whole: shown, ...(more && { cursor: cursorFor(NAME, asked, { skip: skip + shown.length }) }) };
    }
    const ids = await backups.ids({ instance, workflow });
    if (workflow !== undefined && ids.length === 0) throw await noneOf(backups, instance, workflow);
    const { notes, next } = await gather(backups, ids, skip, name?.toLowerCase(), limit);
    return {
      backups: notes.map(({ active, ...note }) => ({ ...note, ...(active && { active }) })),
      ...(next !== undefined && { cursor: cursorFor(NAME, asked, { skip: next }) }),
    };
  },
});

/** Reads only as many heads as the page shows, in batches: there may be thousands of backups. */
async function gather(
  backups: Backups,
  ids: readonly string[],
  from: number,
  wanted: string | undefined,
  limit: number | undefined,
): Promise<{ notes: BackupNote[]; next?: number }> {
  const notes: BackupNote[] = [];
  for (let at = from; at < ids.length; at += AT_ONCE) {
    const some = await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => readable(backups, id)));
    for (const [index, note] of some.entries()) {
      if (!note || (wanted !== undefined && !note.name.toLowerCase().includes(wanted))) continue;
      const full = limit === undefined ? fittingItems([...notes, note]) <= notes.length : notes.length >= limit;
      if (full) return { notes, next: at + index };
      notes.push(note);
    }
  }
  return { notes };
}

/** A backup that is damaged or was just pruned must not hide the others. */
function readable(backups: Backups, id: string): Promise<BackupNote | undefined> {
  return backups.note(id).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
}
