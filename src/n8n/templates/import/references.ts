import { shown } from '../../../kernel/nearest-names.ts';
import { isPointing, type Place, type Pointing } from '../../mapping/places.ts';
import type { Target } from '../../mapping/rewritten.ts';
import type { Here, Named } from './here.ts';
import type { ToFill } from './report.ts';

export interface Asked {
  readonly here: Here;
  /** What the caller chose: by id or name in the template, the workflow here. */
  readonly chosen: ReadonlyMap<string, Named>;
  /** Whether the place names a workflow that is imported with this one. */
  readonly isLinked: (place: Pointing) => boolean;
}

export interface Resolved {
  readonly targets: ReadonlyMap<string, Target>;
  readonly toFill: readonly Omit<ToFill, 'workflow'>[];
  readonly dropped: readonly string[];
  readonly notes: readonly string[];
}

export const placeKey = ({ node, where, id, name }: Pointing): string => JSON.stringify([node, where, id ?? name]);

/** Finds what each place of a template names in this n8n: workflows and data tables by name, variables. */
export async function resolved(places: readonly Place[], asked: Asked): Promise<Resolved> {
  const targets = new Map<string, Target>();
  const toFill: Omit<ToFill, 'workflow'>[] = [];
  const dropped: string[] = [];
  for (const place of places) {
    if (!isPointing(place) || place.kind === 'credential' || asked.isLinked(place)) continue;
    if (place.kind === 'caller') {
      targets.set(placeKey(place), 'none');
      if (dropped.length === 0) dropped.push('settings.callerIds: workflows of another n8n that may call it');
      continue;
    }
    const { target, candidates } =
      place.kind === 'data table' ? await tableFor(place, asked.here) : await workflowFor(place, asked);
    targets.set(placeKey(place), target === 'as it is' ? undefined : target);
    if (target !== 'none' && target !== 'as it is') continue;
    toFill.push({
      what: place.kind,
      ...(place.node !== undefined && { node: place.node }),
      name: shown(place.name ?? place.id ?? ''),
      ...(candidates.length > 0 && { candidates: candidates.slice(0, 5) }),
      how: howTo(place, candidates.length > 0),
    });
  }
  const { missing, note } = await missingVariables(places, asked.here);
  return { targets, toFill: [...toFill, ...missing], dropped, notes: note === undefined ? [] : [note] };
}

function howTo(place: Pointing, hasChoice: boolean): string {
  if (place.kind === 'data table') return 'Create it in n8n, then n8n_edit_workflow set_parameter dataTableId';
  const first = hasChoice ? 'Choose one' : 'Import or create it';
  return place.kind === 'error workflow'
    ? `${first}, then n8n_update_workflow settings.errorWorkflow`
    : `${first}, then n8n_edit_workflow set_parameter workflowId`;
}

interface Found {
  /** `as it is`: it is missing, but is found by its name once it exists. */
  readonly target: Named | 'none' | 'as it is' | undefined;
  readonly candidates: readonly Named[];
}

async function workflowFor({ id, name }: Pointing, { here, chosen }: Asked): Promise<Found> {
  const wanted = chosen.get(id ?? '') ?? chosen.get(name ?? '');
  if (wanted) return { target: wanted, candidates: [] };
  // Exports for sharing have the name in the place of the id.
  const called = await here.called(name ?? id ?? '');
  const [first] = called;
  const same = called.find((one) => one.id === id) ?? (called.length === 1 ? first : undefined);
  if (same) return { target: same, candidates: [] };
  if (called.length > 1) return { target: 'none', candidates: called };
  // Older ids are plain numbers, which mean something else in every n8n.
  const isOwn = id !== undefined && name === undefined && /[A-Za-z]/.test(id);
  const byId = isOwn ? await here.workflow(id) : undefined;
  return { target: byId ?? 'none', candidates: [] };
}

async function tableFor({ id, name }: Pointing, here: Here): Promise<Found> {
  const tables = (await here.tables()) ?? [];
  const wanted = (name ?? id ?? '').toLowerCase();
  const called = tables.filter((table) => table.name.toLowerCase() === wanted);
  const [first] = called;
  const same = called.find((one) => one.id === id) ?? (called.length === 1 ? first : undefined);
  if (same) return { target: id === undefined ? undefined : { id: same.id, name: same.name }, candidates: [] };
  return {
    target: id === undefined ? 'as it is' : 'none',
    candidates: called.map(({ id: one, name: title }) => ({ id: one, name: title })),
  };
}

async function missingVariables(places: readonly Place[], here: Here) {
  const used = new Map<string, string | undefined>();
  for (const place of places) {
    if (place.kind === 'variable' && !used.has(place.name)) used.set(place.name, place.node);
  }
  if (used.size === 0) return { missing: [] };
  const known = await here.variables();
  const missing = [...used].filter(([name]) => !known?.has(name));
  return {
    missing: missing.map(([name, node]) => ({
      what: 'variable' as const,
      ...(node !== undefined && { node }),
      name: shown(name),
      how: known
        ? 'Create it in n8n, under Variables'
        : 'Needs a plan with variables, or write the value into the node',
    })),
    ...(known === undefined && {
      note: 'It uses variables ($vars), and this n8n does not list any: its plan or the API key lacks them.',
    }),
  };
}
