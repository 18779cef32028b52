import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Workflow } from '../client/shapes.ts';
import { isPointing, placesIn } from '../mapping/places.ts';
import type { N8nDeps } from '../tool.ts';
import { changeWorkflow } from '../workflows/change.ts';
import { insistent } from '../workflows/lost.ts';
import { composed, contentHash } from './compose.ts';
import type { Journal } from './journal.ts';
import type { Named } from './link.ts';
import { needKey } from './needs.ts';
import { type Plan, type Planned, resolver } from './plan.ts';
import type { Shell } from './shells.ts';
import type { DataTable } from './side.ts';
import { liveVersionOf, type Step, tagNames } from './step.ts';
import { type Published, untilAllLive } from './until-live.ts';

export interface Written {
  readonly id: string;
  readonly backup?: string | undefined;
  /** What n8n had after our last save: a hash of it, and its version. Somebody may have changed it since. */
  readonly content: string;
  readonly version?: string | undefined;
}

const savedAs = (workflow: Workflow) => ({
  id: workflow.id,
  content: contentHash(workflow),
  version: workflow.versionId ?? undefined,
});

const madeShape = z.looseObject({ id: z.string(), name: z.string() });

/** Makes the changes of a plan on the target, each with its entry in the journal. Nothing here can be cancelled. */
export function createWriter(plan: Plan, { backups }: Pick<N8nDeps, 'backups'>, journal: Journal) {
  const { asked, target, find, needs } = plan;
  const { client } = target;
  const made = new Map<string, Named>();
  const tags = new Map(plan.stock.target.tags.map(({ name, id }) => [name, id]));
  /** By id on the source. */
  const written = new Map<string, Written>();
  const unfinished: { one: Planned; number: number; workflow: Workflow }[] = [];
  const live: Published[] = [];
  const pinData = asked.pin_data === true;
  const project = asked.project === undefined ? {} : { projectId: asked.project };

  const isPending = (source: Workflow) =>
    placesIn(source).some((place) => {
      if (!isPointing(place)) return false;
      const { key } = find(place);
      return needs.get(key)?.state === 'created' && !made.has(key);
    });

  async function tagged(id: string, names: readonly string[], present: Workflow | undefined): Promise<void> {
    if (names.length === 0) return;
    const ids = [...(present?.tags ?? []).map((tag) => tag.id), ...names.flatMap((name) => tags.get(name) ?? [])];
    await insistent(() => client.workflows.setTags(id, ids));
  }

  return {
    made,
    written,

    tag: (name: string) =>
      journal.recordOne<Step & { kind: 'tag' }>({ kind: 'tag', name }, async () => {
        const { id } = await client.tags.create(name);
        tags.set(name, id);
        return { kind: 'tag', name, id };
      }),

    table({ id: source, name, columns }: DataTable): Promise<void> {
      const step: Step & { kind: 'data table' } = { kind: 'data table', name, source };
      return journal.recordOne(step, async () => {
        const body = { name, columns, ...project };
        const { id } = madeShape.parse(await client.http.ask('POST', '/api/v1/data-tables', { body }));
        made.set(needKey('data table', source), { id, name });
        return { ...step, id };
      });
    },

    credential({ id, item, type, data }: Shell): Promise<void> {
      const step: Step & { kind: 'credential' } = { kind: 'credential', id, name: item.name, type, source: item.id };
      return journal.recordOne(step, async () => {
        const { updatedAt } = await client.credentials.create({ id, name: item.name, type, data, ...project });
        made.set(needKey('credential', item.id, type), { id, name: item.name });
        return { ...step, updatedAt };
      });
    },

    async create(one: Planned): Promise<void> {
      const { source, addsTags, link } = one;
      const waits = isPending(source);
      const body = composed(source, { resolve: resolver(plan, made, 'none'), pinData });
      const nodes = body.nodes.flatMap(({ id }) => id ?? []);
      const step = { kind: 'create' as const, source: source.id, name: source.name, nodes, linkBefore: link };
      const workflow = await journal.record<Step & { kind: 'create' }, Workflow>(step, async () => {
        const result = await client.workflows.create({ ...body, ...project });
        await tagged(result.id, addsTags, undefined);
        return { step: { ...step, id: result.id, written: contentHash(result) }, result };
      });
      made.set(needKey('workflow', source.id), { id: workflow.id, name: workflow.name });
      written.set(source.id, savedAs(workflow));
      if (waits) unfinished.push({ one, number: journal.steps().length, workflow });
    },

    /** Workflows that call each other in a circle were created with gaps. */
    async finishReferences(): Promise<void> {
      for (const { one, number, workflow } of unfinished) {
        const resolve = resolver(plan, made, 'none');
        const body = composed(one.source, { resolve, present: workflow, pinData });
        await journal.again(number, (step) =>
          client.turns.take(workflow.id, async () => {
            const saved = await client.workflows.update(workflow.id, body, false);
            written.set(one.source.id, savedAs(saved.workflow));
            return { step: { ...step, written: contentHash(saved.workflow) } as Step, result: undefined };
          }),
        );
      }
    },

    async update(one: Planned): Promise<void> {
      const { source, present, addsTags, link } = one;
      if (!present) throw new AppError('internal', 'An update needs a workflow on the target.');
      await client.turns.take(present.id, async () => {
        const before = await client.workflows.get(present.id);
        // A workflow from n8n's list has no description to compare.
        const isDescribed = present.description === undefined || present.description === before.description;
        if (before.isArchived || !isDescribed || contentHash(before) !== contentHash(present)) {
          throw new AppError(
            'conflict',
            `Somebody changed "${present.name}" on ${client.name} since the plan was made.`,
          );
        }
        const backup = await backups.keep(client.name, before, 'promotion');
        const step = {
          kind: 'update' as const,
          id: present.id,
          source: source.id,
          name: present.name,
          backup,
          content: contentHash(before),
          live: liveVersionOf(before),
          tags: [...tagNames(before), ...addsTags].sort(),
          linkBefore: link,
        };
        await journal.record<Step & { kind: 'update' }, void>(step, async () => {
          const body = composed(source, { resolve: resolver(plan, made, 'none'), present: before, pinData });
          const quiet = new AbortController().signal;
          const change = { id: present.id, reason: 'promotion' as const, signal: quiet };
          const { after, foreign } = await changeWorkflow(client, { backups }, change, () => body);
          if (foreign.length > 0) {
            throw new AppError(
              'conflict',
              `Somebody else saved "${present.name}" on ${client.name} at the same moment (version ${foreign[0]}).`,
            );
          }
          await tagged(present.id, addsTags, before);
          written.set(source.id, { ...savedAs(after), backup });
          return { step: { ...step, written: contentHash(after) }, result: undefined };
        });
      });
    },

    async publish({ source, present }: Planned): Promise<void> {
      const saved = written.get(source.id) ?? (present && savedAs(present));
      if (!saved) throw new AppError('internal', 'Only a saved workflow can be published.');
      const { id } = saved;
      const step = {
        kind: 'publish' as const,
        id,
        name: source.name,
        wasActive: present?.active === true,
        ...(present?.activeVersionId && { versionBefore: present.activeVersionId }),
      };
      await client.turns.take(id, () =>
        journal.record<Step & { kind: 'publish' }, void>(step, async () => {
          // Never what somebody else has saved since.
          const workflow = await insistent(() => client.workflows.publish(id, undefined, saved.version));
          live.push({ workflow, wasLive: step.wasActive });
          return { step: { ...step, version: workflow.activeVersionId ?? undefined }, result: undefined };
        }),
      );
    },

    untilLive: (signal: AbortSignal): Promise<string[]> => untilAllLive(client, live, signal),
  };
}
