import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { type Workflow, workflowShape } from '../client/shapes.ts';
import {
  assertId,
  type BackupKind,
  byFolder,
  instanceIn,
  kindOf,
  segmentOf,
  stemIn,
  stemOf,
  WHOLE,
} from './backup-id.ts';
import type { Backup, BackupFilter, BackupReason, Backups, Found, Limits, Pruned, PruneOptions } from './backups.ts';
import type { Copies } from './copies.ts';
import type { BackupPlace, Where, Within } from './place.ts';
import { quietText } from './quiet-form.ts';
import { createRoom } from './room.ts';
import { hasFirstOf, isAsked, supersededIds, takenAt, whyEach } from './retention.ts';
import { readHead, readSealed, sealed } from './sealed.ts';
import { type Added, type Content, createTableBackups } from './table-backups.ts';
import { type OpenFile, writeWhole } from './whole-file.ts';
import { findInWhole, wholeHead, wholeIn, wholeMembers } from './whole-instance.ts';
import { contentHash, headIn, headOf } from './workflow-file.ts';

export interface BackupPlaces {
  /** Every backup is written here first. If that fails, nothing is changed. */
  readonly main: BackupPlace;
  readonly limits: Limits;
  readonly maxBytes?: number | undefined;
  /** The second place. */
  readonly copies?: Copies | undefined;
  /** A directory for git. Holds one file for each workflow: its newest backup. */
  readonly git?: string | undefined;
}

/** How long a list waits for the second place. */
const SECOND_MS = 10_000;

/** Keeps backups in their places. Asks for them on every use, because they can change while Sluice runs. */
export function createBackups(places: () => Promise<BackupPlaces>, openFile?: OpenFile): Backups {
  let last = 0;
  const room = createRoom();
  /** Never the same time twice, nor one before the newest backup, so that backups sort by age even if the clock goes back. */
  const moment = (newest: string | undefined) => {
    last = Math.max(Date.now(), last + 1);
    return new Date(newest === undefined ? last : Math.max(last, takenAt(stemIn(newest)) + 1));
  };

  async function take(instance: string, workflow: Workflow, reason: BackupReason) {
    const { main, copies, git } = await places();
    const within = { instance: segmentOf(instance), folder: segmentOf(workflow.id) };
    const known = (await main.list(within)).sort().toReversed();
    if (git !== undefined) await mirror(git, instance, workflow);
    const [newest] = known;
    if (newest !== undefined && servesFor(reason, newest, known) && (await isSame(main, newest, workflow))) {
      await copies?.needs(newest);
      return { id: newest, isNew: false };
    }
    const { id } = await add(instance, within.folder, reason, (taken) => ({
      head: headOf(instance, workflow, taken, reason),
      members: [`"workflow":${JSON.stringify(workflow)}`],
    }));
    return { id, isNew: true };
  }

  /** Writes a new backup, and removes the ones of the same folder that it replaces. */
  async function add(
    instance: string,
    folder: string,
    reason: string,
    content: (taken: Date) => Content,
  ): Promise<Added> {
    const { main, limits, maxBytes = Number.POSITIVE_INFINITY, copies } = await places();
    const within = { instance: segmentOf(instance), folder };
    const known = (await main.list(within)).sort().toReversed();
    const taken = moment(known[0]);
    const id = `${within.instance}/${folder}/${stemOf(taken, reason)}`;
    const { head, members } = content(taken);
    const all = [id, ...known];
    const now = Date.now();
    const lasting = copies && new Set(all).difference(new Set(supersededIds(all, copies.limits, now)));
    // Of the same folder only: nothing that is backed up pushes out the backups of something else.
    const spare = supersededIds(all, { ...limits, keep: 1 }, now).filter((one) => !lasting?.has(one));
    const bytes = await main.write(id, room.within(main, maxBytes, await main.sizeOf(spare), sealed(head, members)));
    await copies?.added(id);
    const remove = async (old: string[]) => {
      const gone = copies ? copies.expendable(all, old) : old;
      room.removed(await main.sizeOf(gone));
      await main.remove(gone);
    };
    try {
      await remove(supersededIds(all, limits, now));
      while (room.excess(maxBytes) > 0 && spare.length > 0) await remove(spare.splice(-1));
    } catch {
      // The backup is there: that an old one cannot be deleted must not stop the change. The next backup tries again.
      room.recount();
    }
    return { id, taken, bytes };
  }

  async function mirror(git: string, instance: string, workflow: Workflow): Promise<void> {
    const path = join(git, segmentOf(instance), 'workflows', `${segmentOf(workflow.id)}.json`);
    const text = quietText(workflow);
    if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
    await writeWhole(path, [Buffer.from(text)], openFile);
  }

  /** The ids in each place. A second place that does not answer must not hide the first. */
  async function idsIn({ main, copies }: BackupPlaces, filter: BackupFilter) {
    const within: Within = {
      instance: filter.instance === undefined ? undefined : segmentOf(filter.instance),
      folder: filter.workflow === undefined ? undefined : segmentOf(filter.workflow),
    };
    const [first, second] = await Promise.all([
      main.list(within),
      copies?.place.list(within, AbortSignal.timeout(SECOND_MS)).catch((error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      }),
    ]);
    const unasked = second instanceof Error ? messageOf(second) : undefined;
    return { first, second: second instanceof Error ? [] : (second ?? []), ...(unasked !== undefined && { unasked }) };
  }

  async function list(filter: BackupFilter, of: BackupKind = 'workflow') {
    const here = await places();
    const { first, second, unasked } = await idsIn(here, filter);
    const found: Found[] = [];
    const has: Record<Where, Set<string>> = { disk: new Set(), s3: new Set() };
    for (const id of first) has[here.main.name].add(id);
    for (const id of second) has.s3.add(id);
    for (const ids of byFolder([...has.disk.union(has.s3)]).values()) {
      const why = whyEach(ids.map(stemIn), Date.now());
      for (const [index, id] of ids.entries()) {
        if (kindOf(id) !== of) continue;
        const where = (['disk', 's3'] as const).filter((name) => has[name].has(id));
        found.push({ id, why: why[index] ?? 'automatic', where });
      }
    }
    found.sort((a, b) => (stemIn(a.id) < stemIn(b.id) ? 1 : -1));
    return { found, unasked };
  }

  /** The first line, from the first place that has it. */
  async function firstLine(id: string) {
    return fromAnyPlace(await places(), id, async (place) => {
      const found = await readHead((length) => place.start(id, length));
      if (found) return found;
      throw new AppError('conflict', `Cannot read backup ${shown(id)}: it is damaged. Choose another.`);
    });
  }

  async function read(id: string, wanted?: string): Promise<Backup> {
    assertId(id);
    if (kindOf(id) === 'table')
      throw new AppError(
        'invalid_input',
        `${shown(id)} is a backup of a data table. n8n_restore_data_table restores it.`,
      );
    const backup = await fromAnyPlace(await places(), id, async (place): Promise<Backup | AppError> => {
      if (kindOf(id) === 'instance') return findInWhole(id, place.read(id), wanted);
      const file = await fileIn(place, id);
      const head = headIn(file);
      if (!head) throw new AppError('conflict', `${shown(id)} is not the backup of a workflow. Choose another.`);
      const { content: _, ...about } = head;
      return { id, ...about, content: workflowShape.parse(file.workflow) };
    });
    if (backup instanceof AppError) throw backup;
    return backup;
  }

  async function prune(
    filter: BackupFilter,
    wanted: Partial<Limits>,
    { all, dryRun, instances }: PruneOptions,
  ): Promise<Pruned> {
    const here = await places();
    const { main, limits, copies } = here;
    const { first, second, unasked } = await idsIn(here, filter);
    const gone = new Set<string>();
    const kept = new Set<string>();
    let bytes = 0;
    const present = new Set([...first, ...second].map(instanceIn));
    const ours = new Set(filter.instance === undefined && instances ? instances.map(segmentOf) : present);
    // Nobody else uses this disk.
    if (main.name === 'disk') for (const id of first) ours.add(instanceIn(id));
    const others = [...present.difference(ours)].sort();
    const pruneIn = async (place: BackupPlace, ids: readonly string[], own: Limits) => {
      const meant = ids.filter((id) => ours.has(instanceIn(id)) && (all || kindOf(id) !== 'instance'));
      for (const some of byFolder(meant).values()) {
        const old = new Set(supersededIds(some, { ...own, ...wanted }, Date.now(), all));
        for (const id of some) (old.has(id) ? gone : kept).add(id);
        bytes += await place.sizeOf([...old]);
        if (!dryRun) await place.remove([...old]);
      }
    };
    await pruneIn(main, first, limits);
    room.recount();
    if (!dryRun) copies?.forget([...gone]);
    if (copies) await pruneIn(copies.place, second, copies.limits);
    return { ids: [...gone], bytes, kept: kept.size, unasked, ...(others.length > 0 && { others }) };
  }

  return {
    keep: async (instance, workflow, reason) => (await take(instance, workflow, reason)).id,
    take,
    list,
    read,
    prune,

    async note(found) {
      const { head, bytes } = await firstLine(found.id);
      const about = headIn(head);
      if (!about) throw new AppError('conflict', `${shown(found.id)} is not the backup of a workflow.`);
      const { content: _, ...said } = about;
      return { ...found, ...said, bytes };
    },

    async wholeNote({ id }) {
      const { head, bytes } = await firstLine(id);
      const about = wholeIn(head);
      if (!about) throw new AppError('conflict', `${shown(id)} is not the backup of a whole n8n.`);
      return { id, ...about, bytes };
    },

    async contents(id) {
      assertId(id);
      if (kindOf(id) !== 'instance')
        throw new AppError(
          'invalid_input',
          `${shown(id)} is not a backup of a whole n8n. n8n_list_backups with "whole" lists those.`,
        );
      const { contentsOf } = await import('./whole-contents.ts');
      return fromAnyPlace(await places(), id, (place) => contentsOf(id, () => place.read(id)));
    },

    async keepInstance(instance, content) {
      const { id, taken, bytes } = await add(instance, WHOLE, 'asked', (when) => ({
        head: wholeHead(instance, when),
        members: wholeMembers(content),
      }));
      return { id, instance, taken: taken.toISOString(), bytes };
    },

    async copied(ids, waiting) {
      const { copies } = await places();
      return copies?.ensure(ids, waiting).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof AppError && error.code !== 'cancelled') return error.message;
          throw error;
        },
      );
    },

    async copyAll(waiting) {
      const { copies } = await places();
      if (copies) return copies.all(waiting);
      throw new AppError(
        'unsupported',
        'There is no second place for backups. Add backups.s3 to sluice.yaml, with mode copy or required.',
      );
    },

    ...createTableBackups({
      add,
      firstLine,
      read: async (id, from) => fromAnyPlace(await places(), id, (place) => from(() => place.read(id))),
    }),
  };
}

/**
 * Whether the newest backup can serve if its content is the same. It cannot replace a backup that somebody asks for if it
 * is automatic, because it would be pruned. Before a change, today must have a backup, so that its first state is kept.
 */
const servesFor = (reason: BackupReason, newest: string, known: readonly string[]): boolean =>
  reason === 'asked' ? isAsked(stemIn(newest)) : hasFirstOf(known.map(stemIn), Date.now());

/** Whether this backup holds this content. A damaged one does not: it cannot be restored. */
async function isSame(place: BackupPlace, id: string, workflow: Workflow): Promise<boolean> {
  try {
    const found = await readHead((length) => place.start(id, length));
    if (headIn(found?.head)?.content !== contentHash(workflow)) return false;
    await readSealed(id, place.read(id));
    return true;
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'conflict'].includes(error.code)) return false;
    throw error;
  }
}

const fileIn = async (place: BackupPlace, id: string) => (await readSealed(id, place.read(id))).file;

/** Reads from the main place; from the second one if the main place has none, a damaged one, or one that it cannot read. */
async function fromAnyPlace<T>(
  { main, copies }: BackupPlaces,
  id: string,
  from: (place: BackupPlace) => Promise<T>,
): Promise<T> {
  try {
    return await from(main);
  } catch (error) {
    if (!copies || !(error instanceof AppError) || !['not_found', 'conflict', 'unavailable'].includes(error.code))
      throw error;
    return from(copies.place).catch((second: unknown) => {
      throw second instanceof AppError && second.code === 'not_found' ? error : second;
    });
  }
}
