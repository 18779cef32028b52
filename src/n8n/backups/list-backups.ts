import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { counted } from '../../kernel/some-of.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { backupNote, noneOf, tableNote } from './backup-input.ts';
import type { Found } from './backups.ts';

const NAME = 'n8n_list_backups';
const PAGE = 250;
const AT_ONCE = 32;

export const listBackups = n8nTool({
  name: NAME,
  title: 'List backups',
  description:
    'Lists backups, newest first: which workflow, when, before which change, and why each is kept (asked for, first of the day, automatic). Includes deleted workflows: find them by name. "whole" lists backups of whole n8n instances, "data_tables" those of data tables. The command sluice backup prune deletes old ones.',
  effect: 'read',
  phrases:
    'which backups are there; list the saved copies; when was the last backup; show snapshots; find the backup of a deleted workflow; restore points of a workflow; backup history; what can i restore; do i have a backup of this; show available snapshots; what copies exist; backups of a deleted automation; dates of the backups; which saved states can i go back to; list of restore points; was it backed up; from which days do we have copies; do we still have the flow that was removed; what snapshots are available; is there something to go back to; saved versions on disk; show backups of one workflow; how old is the newest backup; which backups exist for a workflow; what restore points are at hand; was my flow ever saved; which copies do you keep; backups by date; versions that i can bring back; look for a backup; existing snapshots; is there a copy of it somewhere',
  tags: ['backups'],
  input: {
    instance: instanceInput.describe('Only this n8n. Default: all of them'),
    workflow: z.string().min(1).max(200).optional().describe('Only backups of the workflow with this id'),
    name: z.string().min(1).max(200).optional().describe("Part of the workflow's name, ignoring case"),
    whole: z.boolean().optional().describe('List whole-instance backups instead'),
    data_tables: z.boolean().optional().describe('List backups of data tables instead; name is part of their name'),
    limit: z.int().min(1).max(PAGE).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same filters'),
  },
  output: z.object({
    backups: z.array(backupNote).optional(),
    whole: z.array(backupNote.pick({ id: true, instance: true, taken: true, bytes: true, where: true })).optional(),
    data_tables: z.array(tableNote).optional(),
    cursor: z.string().optional().describe('There are more'),
    note: z.string().optional().describe('Why some are missing'),
  }),
  examples: [{ title: 'Backups of a deleted workflow', arguments: { name: 'invoice' } }],
  async run({ instance, workflow, name, whole, data_tables, limit, cursor }, { backups }) {
    const asked = { instance, workflow, name, whole, data_tables };
    const { skip } = placeIn(NAME, asked, cursor);
    const { found, unasked } = await backups.list(
      { instance, workflow },
      whole ? 'instance' : data_tables ? 'table' : 'workflow',
    );
    if (workflow !== undefined && found.length === 0 && !whole && !data_tables)
      throw await noneOf(backups, instance, workflow, unasked);
    const places = new Set(found.flatMap(({ where }) => where));
    const where = (one: Found) => (places.has('s3') ? { where: [...one.where] } : {});
    const rest = ({ next, unread }: Omit<Gathered<unknown>, 'notes'>) => {
      const said = [...(unasked === undefined ? [] : [`Only those on disk are listed: ${unasked}`]), ...unread];
      return {
        ...(next !== undefined && { cursor: cursorFor(NAME, asked, { skip: next }) }),
        ...(said.length > 0 && { note: said.join(' ') }),
      };
    };
    if (whole) {
      const { notes, ...more } = await gather(
        async (one) => ({ ...(await backups.wholeNote(one)), ...where(one) }),
        found,
        skip,
        () => true,
        limit,
      );
      return { whole: notes, ...rest(more) };
    }
    const wanted = name?.toLowerCase();
    const isCalledSo = (note: { readonly name: string }) =>
      wanted === undefined || note.name.toLowerCase().includes(wanted);
    if (data_tables) {
      const { notes, ...more } = await gather(
        async (one) => ({ ...(await backups.tableNote(one)), ...where(one) }),
        found,
        skip,
        isCalledSo,
        limit,
      );
      return { data_tables: notes, ...rest(more) };
    }
    const { notes, ...more } = await gather(
      async (one) => {
        const { active, where: _, ...note } = await backups.note(one);
        return { ...note, ...(active && { active }), ...where(one) };
      },
      found,
      skip,
      isCalledSo,
      limit,
    );
    return { backups: notes, ...rest(more) };
  },
});

interface Gathered<N> {
  readonly notes: N[];
  readonly next?: number;
  /** How many could not be read, and why the first of them. At most one sentence. */
  readonly unread: readonly string[];
}

/** Reads only as many heads as the page shows, in batches: there may be thousands of backups. */
async function gather<N>(
  noteOf: (found: Found) => Promise<N>,
  found: readonly Found[],
  from: number,
  isWanted: (note: N) => boolean,
  limit: number | undefined,
): Promise<Gathered<N>> {
  const notes: N[] = [];
  const errors: AppError[] = [];
  const unread = () =>
    errors.slice(0, 1).map(({ message }) => `${counted(errors.length, 'backup')} could not be read: ${message}`);
  for (let at = from; at < found.length; at += AT_ONCE) {
    const some = await Promise.all(found.slice(at, at + AT_ONCE).map((one) => readable(noteOf(one))));
    for (const [index, note] of some.entries()) {
      if (note instanceof AppError) errors.push(note);
      if (!note || note instanceof AppError || !isWanted(note)) continue;
      const full = limit === undefined ? fittingItems([...notes, note]) <= notes.length : notes.length >= limit;
      if (full) return { notes, next: at + index, unread: unread() };
      notes.push(note);
    }
  }
  return { notes, unread: unread() };
}

/** A backup that cannot be read must not hide the others. One that was just pruned is no news. */
function readable<N>(note: Promise<N>): Promise<N | AppError | undefined> {
  return note.catch((error: unknown) => {
    if (error instanceof AppError) return error.code === 'not_found' ? undefined : error;
    throw error;
  });
}
