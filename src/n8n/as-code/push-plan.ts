import { AppError, messageOf } from '../../kernel/errors.ts';
import type { Finding } from '../../validation/finding.ts';
import type { Workflow } from '../client/shapes.ts';
import { completedNodes } from '../workflows/body.ts';
import { newFindings } from '../validation/new-findings.ts';
import { type Both, nodesOfMoved, readWorkflows, sideOf } from './both.ts';
import { type Form, hashInN8n } from './form.ts';
import { changesBetween, formIn, type Item, itemOf, type Syncing } from './item.ts';
import { assertSameN8n, filesById, matched, type Pair, paired, perhapsMoved, type Scope, within } from './pairs.ts';
import { type Action, conflictWords, pushAction } from './plan.ts';
import { pointsElsewhere, resolved, type Target8n } from './resolve.ts';
import type { Entry, Side } from './side-file.ts';

export interface Planning extends Syncing {
  readonly scope: Scope;
  readonly pinned: boolean;
  /** Archive workflows whose files were deleted. */
  readonly archive: boolean;
  readonly validate: 'strict' | 'warn' | 'off';
}

/** One workflow of the plan. */
export interface Planned {
  readonly pair: Pair;
  readonly action: Action;
  readonly why: readonly string[];
  /** What the file says, for what is written. */
  readonly form?: Form;
}

export interface Plan {
  readonly side: Side;
  /** All that is known of the folder and n8n, by file. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly planned: readonly Planned[];
  /** In the scope, but without a file. */
  readonly onlyInN8n: number;
}

export const isWritten = ({ action }: Planned): boolean => action === 'create' || action === 'update';
export const isBlocked = ({ action, why }: Planned): boolean => action === 'conflict' || why.length > 0;

/** Decides what a push does, and finds everything that would go wrong, before anything is written. */
export async function planPush(both: Both, { scope, force, archive, progress, ...how }: Planning): Promise<Plan> {
  const { folder, remote } = both;
  const { instance, workflows } = remote;
  const side = sideOf(both, how.pinned);
  const now = { instance, files: folder.files, workflows, side };
  if (!force) assertSameN8n(now);
  const nodes = await nodesOfMoved(both, perhapsMoved(now));
  const { matches, ambiguous } = matched({ ...now, nodes });
  const entries = new Map<string, Entry>();
  for (const { file, entry } of matches) if (file !== undefined && entry) entries.set(file, entry);
  const chosen = within(matches, scope);
  const wanted = chosen.filter(({ file }) => file !== undefined);
  const { byId } = filesById(matches, new Set(), folder.taken, () => false);
  const read = await readWorkflows({ remote, pinned: side.pinnedData }, wanted, progress);

  const decided = paired(wanted, byId, read).map((pair): Planned => {
    const problem = read.unreadable.get(pair.summary?.id ?? '') ?? ambiguous.get(pair.file);
    if (problem !== undefined) return { pair, action: 'none', why: [problem] };
    if (pair.held && 'problem' in pair.held) return { pair, action: 'none', why: [pair.held.problem] };
    const has = { file: pair.held !== undefined, n8n: pair.workflow !== undefined };
    const action = pushAction(pair.state, { force, archive }, has);
    if (action === 'conflict')
      return { pair, action, why: [conflictWords({ ...has, base: pair.entry !== undefined })] };
    const form = formIn(pair);
    return { pair, action, why: [], ...(form && { form }) };
  });

  const idOf = new Map([...byId].map(([id, file]) => [file, id]));
  const creating = new Set(decided.filter(({ action }) => action === 'create').map(({ pair }) => pair.file));
  const target: Target8n = {
    instance,
    side,
    workflows,
    credentials: remote.credentials,
    files: new Set(folder.files.keys()),
    idOf: (file) => idOf.get(file),
    isComing: (file) => creating.has(file),
  };
  const planned = withoutOrphans(
    decided.map((one) => checked(one, target, side.pinnedData)),
    instance,
  );
  const judged = how.validate === 'strict' ? await validated(both, planned, target) : planned;
  return { side, entries, planned: judged, onlyInN8n: chosen.length - wanted.length };
}

/** With what the n8n lacks. A workflow that is in step is written, too, if what it refers to now has another id. */
function checked(one: Planned, target: Target8n, pinned: boolean): Planned {
  const { pair, action, form } = one;
  if (action === 'conflict') {
    const held = formIn(pair);
    const isOurs = held && pair.workflow && isSavedAlready(held, pair.workflow, target, pinned);
    return isOurs ? { pair, action: 'update', why: [], form: held } : one;
  }
  if (!form || one.why.length > 0) return one;
  if (action === 'none' && pair.state === 'in step' && pair.workflow) {
    const { form: pointed, problems } = resolved(form, pair.workflow, target);
    return problems.length === 0 && pointsElsewhere(pointed, pair.workflow) ? { ...one, action: 'update' } : one;
  }
  if (action !== 'create' && action !== 'update') return one;
  return { ...one, why: resolved(form, pair.workflow, target).problems };
}

/** Whether a push that did not finish saved this workflow. Only its tags and its description may be missing. */
function isSavedAlready(form: Form, now: Workflow, target: Target8n, pinned: boolean): boolean {
  const { form: body, problems } = resolved(form, now, target);
  const wanted = new Set((form.tags ?? []).map(({ name }) => name));
  if (problems.length > 0 || !(now.tags ?? []).every(({ name }) => wanted.has(name))) return false;
  const nodes = completedNodes(body.nodes, body.connections, now.nodes, true);
  const settings = { ...(now.settings?.executionOrder === 'v0' && { executionOrder: 'v0' }), ...body.settings };
  const saved: Workflow = { ...now, nodeGroups: [], pinData: {}, description: '', ...body, nodes, settings, tags: [] };
  const there = { ...now, tags: [] };
  return hashInN8n({ ...saved, ...(!now.description && { description: '' }) }, pinned) === hashInN8n(there, pinned);
}

/** A workflow cannot be written if one that it needs is not created. */
function withoutOrphans(planned: readonly Planned[], instance: string): Planned[] {
  let now = [...planned];
  const calls = new Map(planned.map(({ pair, form }) => [pair.file, form ? filesIn(form) : []]));
  for (;;) {
    const stuck = new Set(
      now.filter((one) => one.action === 'create' && one.why.length > 0).map(({ pair }) => pair.file),
    );
    const next = now.map((one) => {
      if (!isWritten(one) || one.why.length > 0) return one;
      const needs = (calls.get(one.pair.file) ?? []).filter((file) => stuck.has(file));
      const why = needs.map((file) => `refers to ./${file}, which cannot be created in n8n (${instance}).`);
      return why.length > 0 ? { ...one, why } : one;
    });
    if (next.every((one, index) => one === now[index])) return now;
    now = next;
  }
}

/** The files that a workflow refers to. */
export function filesIn(form: Form): string[] {
  const files = new Set<string>();
  resolved(form, undefined, {
    instance: '',
    credentials: [],
    workflows: new Map(),
    side: { credentials: new Map(), named: new Map() },
    files: new Set(),
    idOf: () => undefined,
    isComing: (file) => Boolean(files.add(file)),
  });
  return [...files];
}

interface Judged {
  readonly valid: boolean;
  readonly findings: readonly Finding[];
}

/** With the errors that the validator finds, as far as n8n does not have them already. */
async function validated({ remote }: Both, planned: readonly Planned[], target: Target8n): Promise<Planned[]> {
  const judged: Planned[] = [];
  for (const one of planned) {
    const { pair, form, why } = one;
    if (!isWritten(one) || !form || why.length > 0) {
      judged.push(one);
      continue;
    }
    const workflow = resolved(form, pair.workflow, target).form;
    judged.push({ ...one, why: await errorsIn(remote.call, workflow, pair.workflow) });
  }
  return judged;
}

const MOST_ERRORS = 5;

async function errorsIn(call: Both['remote']['call'], form: Form, now: Workflow | undefined): Promise<string[]> {
  const judge = (args: object) => call<Judged>('n8n_validate_workflow', { ...args, purpose: 'save', limit: 500 });
  try {
    const { tags: _, ...workflow } = form;
    // The tools that save it complete it in the same way.
    const nodes = completedNodes(form.nodes, form.connections, now?.nodes, true);
    const { valid, findings } = await judge({ workflow: { ...workflow, nodes } });
    if (valid) return [];
    const before = now ? await judge({ id: now.id }) : undefined;
    const fresh =
      now && before
        ? newFindings({ workflow: { nodes }, findings }, { workflow: now, findings: before.findings })
        : findings;
    const errors = fresh.filter(({ severity }) => severity === 'error');
    const more = errors.length - MOST_ERRORS;
    const lines = errors
      .slice(0, MOST_ERRORS)
      .map(({ rule, node, message }) => `${node === undefined ? '' : `"${node}": `}${message} (${rule})`);
    return more > 0 ? [...lines, `… and ${more} more errors`] : lines;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'cancelled') throw error;
    return [`could not be validated: ${messageOf(error)} --validate warn pushes it without.`];
  }
}

export function itemOfPlan({ pair, action, why, form }: Planned): Item {
  const isError = why.length > 0 && action !== 'conflict';
  const changes = action === 'update' || action === 'conflict' ? changesBetween(pair.there, form ?? formIn(pair)) : [];
  return itemOf(pair, isError ? 'error' : action, {
    ...(why.length > 0 && { why }),
    ...(changes.length > 0 && { changes }),
  });
}
