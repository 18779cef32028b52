import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { type Workflow, workflowShape } from '../client/shapes.ts';
import { pathOf, readStem, segmentOf, stemOf, WHOLE } from './backup-id.ts';
import type { BackupFilter, BackupNote, BackupReason, Backups, Limits, Pruned } from './backups.ts';
import { findInWhole, isWhole, wholeHead, wholeMembers, wholeNote } from './whole-instance.ts';
import { quietForm, quietText } from './quiet-form.ts';
import { hasFirstOf, isAsked, superseded, whyEach } from './retention.ts';
import { DRAFT, type OpenFile, readHead, readSealed, writeSealed, writeWhole } from './sealed-file.ts';

export interface BackupSettings extends Limits {
  /** Holds one file for each backup. */
  readonly directory: string;
  /** A directory for git. Holds one file for each workflow: its newest backup. */
  readonly git?: string | undefined;
}

const KIND = 'sluice.workflow';

/** A draft older than this was left behind by a process that was killed. */
const STALE_DRAFT_MS = 3_600_000;

const headShape = z.looseObject({
  kind: z.literal(KIND),
  instance: z.string(),
  id: z.string(),
  name: z.string(),
  taken: z.string(),
  reason: z.enum(['asked', 'update', 'edit', 'delete', 'restore', 'archive']),
  active: z.boolean(),
  nodes: z.number(),
  content: z.string(),
});

type Head = z.output<typeof headShape>;

/** Keeps backups as files. Reads the settings on every use, because they can change while Sluice runs. */
export function createBackups(settings: () => BackupSettings, openFile?: OpenFile): Backups {
  const folderOf = (instance: string, workflow: string) =>
    join(settings().directory, segmentOf(instance), segmentOf(workflow));
  let last = 0;
  /** Never returns the same time twice, so that backups always sort by age. */
  const moment = () => {
    last = Math.max(Date.now(), last + 1);
    return new Date(last);
  };

  async function take(instance: string, workflow: Workflow, reason: BackupReason) {
    const content = contentHash(workflow);
    const folder = folderOf(instance, workflow.id);
    const known = await stemsIn(folder);
    const prefix = `${segmentOf(instance)}/${segmentOf(workflow.id)}`;
    await mirror(instance, workflow);
    const [newest] = known;
    const isEnough = newest !== undefined && servesFor(reason, newest, known);
    if (isEnough && (await isSame(join(folder, `${newest}.json`), content))) {
      return { id: `${prefix}/${newest}`, isNew: false };
    }
    const taken = moment();
    const stem = stemOf(taken, reason);
    const head: Head = {
      kind: KIND,
      format: 1,
      instance,
      id: workflow.id,
      name: workflow.name,
      taken: taken.toISOString(),
      reason,
      active: workflow.active,
      nodes: workflow.nodes.length,
      content,
    };
    await writeSealed(join(folder, `${stem}.json`), head, [`"workflow":${JSON.stringify(workflow)}`], openFile);
    await removeAll(folder, superseded([stem, ...known], settings(), Date.now()));
    await removeDrafts(folder);
    return { id: `${prefix}/${stem}`, isNew: true };
  }

  async function mirror(instance: string, workflow: Workflow): Promise<void> {
    const { git } = settings();
    if (git === undefined) return;
    const path = join(git, segmentOf(instance), 'workflows', `${segmentOf(workflow.id)}.json`);
    const text = quietText(workflow);
    if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
    await writeWhole(path, (write) => write(Buffer.from(text)), openFile);
  }

  /** The folders that match a filter, as the first two segments of an id. */
  async function prefixes({ instance, workflow }: BackupFilter, whole = false): Promise<string[]> {
    const { directory } = settings();
    const instances = instance === undefined ? await foldersIn(directory) : [segmentOf(instance)];
    const found = await Promise.all(
      instances.map(async (name) => {
        const workflows = workflow === undefined ? await foldersIn(join(directory, name)) : [segmentOf(workflow)];
        return workflows.filter((each) => whole || each !== WHOLE).map((each) => `${name}/${each}`);
      }),
    );
    return found.flat();
  }

  async function readFound(id: string): Promise<Record<string, unknown>> {
    return readSealed(pathOf(settings().directory, id)).catch((error: unknown) => {
      throw isMissing(error) ? unknownBackup(id) : error;
    });
  }

  async function headOf(id: string): Promise<{ head: Head; bytes: number }> {
    const found = await readHead(pathOf(settings().directory, id)).catch((error: unknown) => {
      throw isMissing(error) ? unknownBackup(id) : error;
    });
    const head = headShape.safeParse(found?.head);
    if (!found || !head.success) {
      throw new AppError('conflict', `Cannot read backup ${shown(id)}: its file is damaged. Choose another.`);
    }
    return { head: head.data, bytes: found.bytes };
  }

  async function noteOf(id: string): Promise<BackupNote> {
    const { head, bytes } = await headOf(id);
    const path = pathOf(settings().directory, id);
    const stems = await stemsIn(dirname(path));
    const why = whyEach(stems, Date.now())[stems.indexOf(basename(path, '.json'))] ?? 'automatic';
    const { id: workflow, instance, name, taken, reason, active, nodes } = head;
    return { id, instance, workflow, name, taken, reason, why, active, nodes, bytes };
  }

  return {
    keep: async (instance, workflow, reason) => (await take(instance, workflow, reason)).id,
    take,

    async ids(filter) {
      const { directory } = settings();
      const lists = await Promise.all(
        (await prefixes(filter)).map(async (prefix) =>
          (await stemsIn(join(directory, prefix))).map((stem) => ({ stem, id: `${prefix}/${stem}` })),
        ),
      );
      return lists
        .flat()
        .sort((a, b) => (a.stem < b.stem ? 1 : -1))
        .map(({ id }) => id);
    },

    note: noteOf,

    async read(id, workflowId) {
      if (isWhole(id)) return findInWhole(id, await readFound(id), workflowId);
      const note = await noteOf(id);
      const { workflow } = await readFound(id);
      return { ...note, content: workflowShape.parse(workflow) };
    },

    async prune(filter, limits, { all, dryRun }): Promise<Pruned> {
      const { directory, keep, days } = settings();
      const wanted: Limits = { keep, days, ...limits };
      const ids: string[] = [];
      let bytes = 0;
      let kept = 0;
      for (const prefix of await prefixes(filter, all)) {
        const folder = join(directory, prefix);
        const stems = await stemsIn(folder);
        const old = superseded(stems, wanted, Date.now(), all);
        kept += stems.length - old.length;
        ids.push(...old.map((stem) => `${prefix}/${stem}`));
        bytes += await sizeOf(folder, old);
        if (!dryRun) await removeAll(folder, old);
      }
      return { ids, bytes, kept };
    },

    async keepInstance(instance, content) {
      const taken = moment();
      const stem = stemOf(taken, 'asked');
      const folder = join(settings().directory, segmentOf(instance), WHOLE);
      const path = join(folder, `${stem}.json`);
      const bytes = await writeSealed(path, wholeHead(instance, taken), wholeMembers(content), openFile);
      await removeDrafts(folder);
      return { id: `${segmentOf(instance)}/${WHOLE}/${stem}`, instance, taken: taken.toISOString(), bytes };
    },

    async instances(instance) {
      const { directory } = settings();
      const segments = instance === undefined ? await foldersIn(directory) : [segmentOf(instance)];
      const ids = await Promise.all(
        segments.map(async (name) =>
          (await stemsIn(join(directory, name, WHOLE))).map((stem) => `${name}/${WHOLE}/${stem}`),
        ),
      );
      const notes = await Promise.all(
        ids.flat().map(async (id) => wholeNote(id, await readHead(pathOf(directory, id)).catch(() => undefined))),
      );
      return notes.filter((note) => note !== undefined).sort((a, b) => (a.taken < b.taken ? 1 : -1));
    },
  };
}

function contentHash(workflow: Workflow): string {
  const { staticData, activeVersionId } = workflow;
  return createHash('sha256')
    .update(JSON.stringify([quietForm(workflow), staticData ?? null, activeVersionId ?? null]))
    .digest('hex');
}

/**
 * Whether the newest backup can serve if its content is the same. It cannot replace a backup that somebody asks for if it
 * is automatic, because it would be pruned. Before a change, today must have a backup, so that its first state is kept.
 */
const servesFor = (reason: BackupReason, newest: string, known: readonly string[]): boolean =>
  reason === 'asked' ? isAsked(newest) : hasFirstOf(known, Date.now());

async function isSame(path: string, content: string): Promise<boolean> {
  const found = await readHead(path).catch(() => undefined);
  const head = headShape.safeParse(found?.head);
  if (!head.success || head.data.content !== content) return false;
  // A damaged backup cannot be restored: write a new one.
  return readSealed(path).then(
    () => true,
    () => false,
  );
}

function unknownBackup(id: string): AppError {
  return new AppError('not_found', `No backup ${shown(id)}. n8n_list_backups shows the ids.`);
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Newest first. Skips files that are not backups of ours. */
async function stemsIn(folder: string): Promise<string[]> {
  const names = (await entriesOf(folder)).map(({ name }) => name);
  return names
    .flatMap((name) => (name.endsWith('.json') && readStem(name.slice(0, -5)) ? [name.slice(0, -5)] : []))
    .sort()
    .toReversed();
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : []));
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const message = `The backup directory ${folder} ${fileTrouble(error)}. Check backups.directory.`;
    throw new AppError('unavailable', message, { cause: error });
  }
}

async function sizeOf(folder: string, stems: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    stems.map((stem) =>
      stat(join(folder, `${stem}.json`)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function removeAll(folder: string, stems: readonly string[]): Promise<void> {
  for (const stem of stems) await rm(join(folder, `${stem}.json`), { force: true });
}

async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(DRAFT)) continue;
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > STALE_DRAFT_MS) await rm(join(folder, name), { force: true });
  }
}
