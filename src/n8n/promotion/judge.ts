import { AppError } from '../../kernel/errors.ts';
import type { Workflow } from '../client/shapes.ts';
import { describeDiff, diffWorkflows } from '../diff/diff.ts';
import { GENERATED_TAG } from '../generated.ts';
import type { Asked } from './asked.ts';
import { changesOf, composed, contentHash, hashOf } from './compose.ts';
import type { DetailReader } from './details.ts';
import type { LastPromotion } from './link.ts';
import { type Plan, type Planned, type PlannedAction, resolver } from './plan.ts';
import type { Chosen } from './settle.ts';
import type { Stock, Workflows } from './side.ts';

export interface Judging extends Pick<Plan, 'needs' | 'find' | 'links'> {
  readonly asked: Asked;
  readonly source: Workflows;
  readonly target: Workflows;
  readonly stock: Stock;
  readonly read: DetailReader;
  readonly signal: AbortSignal;
}

/** Decides what happens to one workflow. */
export async function judged({ source, asked: isAsked, match }: Chosen, judging: Judging): Promise<Planned> {
  const { asked, target, links } = judging;
  const link = links.find((one) => one.kind === 'workflow' && one.id === source.id);
  const found = match && match.how !== 'ambiguous' ? match : undefined;
  const present = found && target.byId.get(found.to.id);
  const shared = {
    source,
    asked: isAsked,
    link,
    addsTags: tagsFor(source, present, judging),
    publishes: publishesWhen(asked, source, present),
  };
  if (!present) {
    return { ...shared, detailed: false, action: 'create', changes: [], publishes: wantsPublished(asked, source) };
  }
  const last = link?.to.id === present.id ? link.last : undefined;
  if (last && isUntouched(source, present, last, judging)) {
    return { ...shared, detailed: false, how: found.how, present, changes: [], action: actionFor(shared.addsTags, []) };
  }
  const [from, to] = await Promise.all([judging.read.source(source.id), judging.read.target(present.id)]);
  if (from.versionId !== source.versionId) throw movedOn(source.name, judging.source);
  const body = composed(from, { resolve: resolver(judging), present: to, pinData: asked.pin_data === true });
  const changes = changesOf(to, body);
  const isForeign = last !== undefined && changes.length > 0 && isChanged(to, last);
  const action = isForeign && !asked.overwrite ? 'conflict' : actionFor(shared.addsTags, changes);
  return {
    ...shared,
    source: { ...source, ...from },
    detailed: true,
    action,
    how: found.how,
    present: { ...to, tags: present.tags },
    changes: [...changes, ...shared.addsTags.map((name) => `+ tag "${name}"`)],
    publishes: shared.publishes || (wantsPublished(asked, source) && changes.length > 0),
    ...(isForeign && { since: await changesSince(to, last, judging.read) }),
  };
}

const actionFor = (tags: readonly string[], changes: readonly string[]): PlannedAction =>
  changes.length + tags.length > 0 ? 'update' : 'unchanged';

const wantsPublished = ({ publish }: Asked, source: Workflow): boolean =>
  publish === true || (publish === 'as_source' && source.active);

/** An unchanged workflow is published only if its draft is not live yet. */
const publishesWhen = (asked: Asked, source: Workflow, present: Workflow | undefined): boolean =>
  wantsPublished(asked, source) && (!present?.active || present.activeVersionId !== present.versionId);

/** Tags are only added: the target may have its own. */
function tagsFor(source: Workflow, present: Workflow | undefined, { asked, stock }: Judging): string[] {
  const has = new Set((present?.tags ?? []).map(({ name }) => name));
  const known = new Set(stock.tags.map(({ name }) => name));
  const mayCreate = !asked.include || asked.include.includes('tags');
  return (source.tags ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== GENERATED_TAG && !has.has(name) && (mayCreate || known.has(name)));
}

/** Nothing was saved on either side, and all references lead where they led. Then nothing has to be read. */
function isUntouched(source: Workflow, present: Workflow, last: LastPromotion, judging: Judging): boolean {
  if (judging.asked.pin_data) return false;
  if (source.updatedAt !== last.source.updatedAt || present.updatedAt !== last.target.updatedAt) return false;
  return writtenHash(source, judging) === last.written;
}

/** A hash of what a promotion writes. */
function writtenHash(source: Workflow, plan: Pick<Plan, 'needs' | 'find'>, made?: Parameters<typeof resolver>[1]) {
  return contentHash(composed(source, { resolve: resolver(plan, made), pinData: false }));
}

const isChanged = (now: Workflow, { target }: LastPromotion): boolean =>
  contentHash(now) !== target.content || hashOf(now.description ?? '') !== target.description;

async function changesSince(now: Workflow, { target }: LastPromotion, read: DetailReader): Promise<string[]> {
  const then = target.versionId === undefined ? undefined : await read.version(now.id, target.versionId);
  const lines = then ? describeDiff(diffWorkflows(then, { nodes: now.nodes, connections: now.connections })) : [];
  return lines.length > 0 ? lines : ['its name, description or settings'];
}

export const movedOn = (name: string, { client }: Workflows): AppError =>
  new AppError('conflict', `Somebody is changing "${name}" on ${client.name} right now. Nothing was done: call again.`);
