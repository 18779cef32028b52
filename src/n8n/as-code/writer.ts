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
  idOf(file: string): string | undefined;
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
  const written = new Set<string>();
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

  function tell(file: string, note: string | undefined): void {
    if (note !== undefined) notes.set(file, [...(notes.get(file) ?? []), note]);
  }

  async function readNow(id: string): Promise<Workflow | undefined> {
    const read = await remote.read(id);
    return 'workflow' in read ? read.workflow : undefined;
  }

  async function create(file: string, { tags = [], ...workflow }: Form): Promise<Saved> {
    const made = await call<OutputOf<typeof createWorkflow>>('n8n_create_workflow', {
      // n8n runs a workflow without this setting in the old order. The tool would set the new one.
      workflow: { ...workflow, settings: { executionOrder: 'v0', ...workflow.settings } },
      tags: tags.map(({ name }) => name),
      create_tags: true,
      validate,
    });
    tell(file, made.note);
    return made.workflow;
  }

  async function update(file: string, form: Form, now: Workflow): Promise<Saved> {
    const { tags = [], ...workflow } = form;
    const { id, versionId } = now;
    const changed = await call<OutputOf<typeof updateWorkflow>>('n8n_update_workflow', {
      id,
      workflow: { ...workflow, ...(pinnedData && { pinData: workflow.pinData ?? {} }) },
      exact: true,
      validate,
      ...(versionId && { expected_version: versionId }),
    });
    tell(file, /n8n cannot remove[^.]*\./.exec(changed.note ?? '')?.[0]);
    for (const warning of changed.warnings ?? []) tell(file, warning);
    const wanted = tags.map(({ name }) => name);
    const held = new Set((now.tags ?? []).map(({ name }) => name));
    if (wanted.length !== held.size || wanted.some((name) => !held.has(name)))
      await call('n8n_set_workflow_tags', { id, tags: wanted, create: true });
    return changed.workflow;
  }

  /** The workflow that the file replaces. An archived one comes back. */
  async function replaced({ file, workflow, entry }: Pair): Promise<Workflow | undefined> {
    if (written.has(file)) return readNow(ids.get(file) as string);
    if (workflow || !entry || !(await (archivedIds ??= remote.archived())).has(entry.id)) return workflow;
    await call('n8n_archive_workflow', { id: entry.id, archived: false });
    return readNow(entry.id);
  }

  return {
    notes,
    tell,
    idOf,
    async write(pair, form) {
      const { file } = pair;
      const now = await replaced(pair);
      const { form: body, pending, problems } = resolved(form, now, target);
      if (problems.length > 0) throw new Error(problems.join(' '));
      const saved = now ? await update(file, body, now) : await create(file, body);
      written.add(file);
      ids.set(file, saved.id);
      workflows.set(saved.id, { id: saved.id, name: form.name });
      const after = await readNow(saved.id);
      await noted(file, {
        id: saved.id,
        ...(pending.length === 0 && { file: hashOf(form) }),
        // If somebody saved it again at this moment, the next pull gets that.
        ...(after && after.versionId === saved.version && { n8n: hashInN8n(after, pinnedData) }),
      });
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
