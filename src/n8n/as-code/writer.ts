import { AppError } from '../../kernel/errors.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { Workflow } from '../client/shapes.ts';
import type { createWorkflow } from '../workflows/create-workflow.ts';
import type { updateWorkflow } from '../workflows/update-workflow.ts';
import type { Both } from './both.ts';
import { type Form, hashInN8n, hashOf } from './form.ts';
import type { Pair } from './pairs.ts';
import type { Plan, Planning } from './push-plan.ts';
import { resolved, type Target8n } from './resolve.ts';
import type { Entry } from './side-file.ts';

/** Writes files to n8n, one by one, and notes each success in the side file. */
export interface Writer {
  /** Returns the files that it refers to and whose workflows do not exist yet: write it again when they do. */
  write(pair: Pair, form: Form): Promise<readonly string[]>;
  archive(pair: Pair): Promise<void>;
  /** Notes that both sides are the same, or that there is neither. */
  note(pair: Pair): Promise<void>;
  /** The version of the draft that has what the file has. */
  draftOf(pair: Pair): { readonly id: string | undefined; readonly version?: string };
  tell(file: string, note: string | undefined): void;
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

interface Saved {
  readonly id: string;
  readonly version?: string | undefined;
}

export function createWriter(
  { folder, remote }: Both,
  { side, entries: before, planned }: Plan,
  { validate, isComing }: Pick<Planning, 'validate'> & Pick<Target8n, 'isComing'>,
): Writer {
  const { call, instance } = remote;
  const { pinnedData } = side;
  const entries = new Map(before);
  const notes = new Map<string, string[]>();
  /** Of what this push has written. */
  const versions = new Map<string, string | undefined>();
  const ids = new Map([...entries].map(([file, { id }]) => [file, id]));
  for (const { pair } of planned) if (pair.summary) ids.set(pair.file, pair.summary.id);
  const workflows = new Map<string, { id: string; name: string }>(remote.workflows);
  const idOf = (file: string) => ids.get(file);
  const files = new Set(folder.files.keys());
  const target: Target8n = { instance, side, workflows, credentials: remote.credentials, files, idOf, isComing };
  let archivedIds: Promise<ReadonlySet<string>> | undefined;

  async function noted(file: string, entry: Entry | undefined): Promise<void> {
    if (entry) entries.set(file, entry);
    else entries.delete(file);
    await folder.writeSide(instance, { ...side, workflows: entries });
  }

  /** Notes what was saved. Without the hash of the file, something is still missing in n8n. */
  async function notedSaved(file: string, { id, version }: Saved, hash?: string): Promise<void> {
    // n8n may be gone before it can be read.
    if (entries.get(file)?.id !== id) await noted(file, { id });
    const read = await remote.read(id);
    // If somebody saved it again at this moment, the next pull gets that.
    const isOurs = 'workflow' in read && read.workflow.versionId === version;
    await noted(file, {
      id,
      ...(hash !== undefined && { file: hash }),
      ...(isOurs && { n8n: hashInN8n(read.workflow, pinnedData) }),
    });
  }

  function tell(file: string, note: string | undefined): void {
    if (note !== undefined) notes.set(file, [...(notes.get(file) ?? []), note]);
  }

  async function readNow(id: string): Promise<Workflow> {
    const read = await remote.read(id);
    if ('problem' in read) throw new AppError('internal', read.problem);
    return read.workflow;
  }

  async function create(file: string, workflow: Form): Promise<Saved> {
    const made = await call<OutputOf<typeof createWorkflow>>('n8n_create_workflow', {
      // n8n runs a workflow without this setting in the old order. The tool would set the new one.
      workflow: { ...workflow, settings: { executionOrder: 'v0', ...workflow.settings } },
      validate,
    });
    tell(file, made.note);
    return made.workflow;
  }

  async function update(file: string, workflow: Form, { id, versionId }: Workflow): Promise<Saved> {
    const changed = await call<OutputOf<typeof updateWorkflow>>('n8n_update_workflow', {
      id,
      workflow: { ...workflow, ...(pinnedData && { pinData: workflow.pinData ?? {} }) },
      exact: true,
      validate,
      ...(versionId && { expected_version: versionId }),
    });
    tell(file, /n8n cannot remove[^.]*\./.exec(changed.note ?? '')?.[0]);
    for (const warning of changed.warnings ?? []) tell(file, warning);
    return changed.workflow;
  }

  /** The workflow that the file replaces. An archived one comes back. */
  async function replaced({ file, workflow, entry }: Pair): Promise<Workflow | undefined> {
    const seen = versions.has(file) ? entries.get(file)?.n8n : workflow && hashInN8n(workflow, pinnedData);
    if (workflow || versions.has(file)) {
      const now = await readNow(ids.get(file) as string);
      // n8n gives a new name, setting or description no new version.
      if (hashInN8n(now, pinnedData) === seen) return now;
      throw new AppError('conflict', 'Somebody changed it in n8n during this push, so it was not overwritten.');
    }
    if (!entry || !(await (archivedIds ??= remote.archived())).has(entry.id)) return undefined;
    await call('n8n_archive_workflow', { id: entry.id, archived: false });
    return readNow(entry.id);
  }

  return {
    notes,
    tell,
    draftOf({ file, workflow }) {
      const version = versions.has(file) ? versions.get(file) : workflow?.versionId;
      return { id: ids.get(file), ...(version && { version }) };
    },
    async write(pair, form) {
      const { file } = pair;
      const now = await replaced(pair);
      const { form: body, pending, problems } = resolved(form, now, target);
      if (problems.length > 0) throw new Error(problems.join(' '));
      const { tags = [], ...workflow } = body;
      const saved = now ? await update(file, workflow, now) : await create(file, workflow);
      versions.set(file, saved.version);
      ids.set(file, saved.id);
      workflows.set(saved.id, { id: saved.id, name: form.name });
      const wanted = new Set(tags.map(({ name }) => name));
      const held = new Set((now?.tags ?? []).map(({ name }) => name));
      if (wanted.symmetricDifference(held).size > 0) {
        await notedSaved(file, saved);
        await call('n8n_set_workflow_tags', { id: saved.id, tags: [...wanted], create: true });
      }
      await notedSaved(file, saved, pending.length === 0 ? hashOf(form) : undefined);
      return pending;
    },
    async archive({ file, entry }) {
      if (entry) await call('n8n_archive_workflow', { id: entry.id });
      await noted(file, undefined);
    },
    async note({ file, workflow, held }) {
      const both = workflow && held && 'hash' in held;
      await noted(file, both ? { id: workflow.id, file: held.hash, n8n: hashInN8n(workflow, pinnedData) } : undefined);
    },
  };
}
