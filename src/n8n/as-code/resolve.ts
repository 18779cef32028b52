import { inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Node, Workflow } from '../client/shapes.ts';
import type { CredentialSummary } from '../credentials/summary.ts';
import { type Place, placesIn, type Pointing } from '../mapping/places.ts';
import type { Target } from '../mapping/rewritten.ts';
import type { Form } from './form.ts';
import { inN8n, refIn, refOfFile, sameNode } from './references.ts';
import { SIDE_FOLDER, type Side } from './side-file.ts';

/** The n8n that a file is written to. */
export interface Target8n {
  readonly instance: string;
  readonly credentials: readonly CredentialSummary[];
  readonly workflows: ReadonlyMap<string, { readonly id: string; readonly name: string }>;
  readonly side: Pick<Side, 'credentials' | 'named'>;
  readonly files: ReadonlySet<string>;
  /** The workflow of a file, if n8n has it. */
  idOf(file: string): string | undefined;
  /** Whether this push creates the workflow of this file. */
  isComing(file: string): boolean;
}

export interface Resolved {
  /** With the ids of this n8n. */
  readonly form: Form;
  /** What the n8n lacks, as sentences. */
  readonly problems: readonly string[];
  /** Files whose workflows this one refers to but that do not exist yet. */
  readonly pending: readonly string[];
}

/** Stands for the id of a workflow that does not exist yet. */
const NOT_YET = '0000000000000000';

/** Points the references of a file at what the n8n has. `now` is the workflow that it replaces. */
export function resolved(form: Form, now: Workflow | undefined, n8n: Target8n): Resolved {
  const problems: string[] = [];
  const pending = new Set<string>();
  const held = now ? placesIn(now) : [];
  const nodes = new Map(form.nodes.map((node) => [node.name, node]));
  const target = (place: Pointing): Target => {
    if (place.kind === 'data table') return undefined;
    const found =
      place.kind === 'credential'
        ? credentialFor(place, sameNode(now?.nodes ?? [], nodes.get(place.node ?? '')), n8n)
        : workflowFor(place, held, n8n);
    if ('problem' in found) {
      problems.push(`${place.node === undefined ? place.where : `"${shown(place.node)}"`} ${found.problem}`);
      return undefined;
    }
    if ('pending' in found) pending.add(found.pending);
    if ('pending' in found) return { id: NOT_YET, name: place.name ?? '' };
    return 'id' in found ? found : undefined;
  };
  return { form: inN8n(form, now, target), problems, pending: [...pending] };
}

type Found =
  | { readonly id: string; readonly name: string }
  | { readonly problem: string }
  | { readonly pending: string }
  | { readonly keep: true };

function credentialFor(
  { type, name }: Extract<Place, { kind: 'credential' }>,
  same: Node | undefined,
  { instance, credentials, side }: Target8n,
): Found {
  if (name === '') return { keep: true };
  const pin = side.credentials.get(`${type}/${name}`);
  if (pin !== undefined) {
    if (credentials.some((one) => one.id === pin && one.type === type)) return { id: pin, name };
    return {
      problem: `uses "${shown(name)}", which ${SIDE_FOLDER}/${instance}.json pins to ${shown(pin)}: n8n has no credential of this id and type (${type}).`,
    };
  }
  // What the node has already stays, also if there are several of this name.
  const held = same?.credentials && Object.hasOwn(same.credentials, type) ? same.credentials[type] : undefined;
  if (held?.id && (credentials.find(({ id }) => id === held.id)?.name ?? held.name) === name)
    return { id: held.id, name };
  const namesakes = credentials.filter((one) => one.type === type && one.name === name);
  const [only] = namesakes;
  if (only && namesakes.length === 1) return { id: only.id, name };
  if (only) {
    const ids = namesakes.map(({ id }) => id).join(', ');
    return {
      problem: `uses the credential "${shown(name)}" (${type}), and n8n (${instance}) has several of this name: ${ids}. Say which one in ${SIDE_FOLDER}/${instance}.json: "credentials": { "${type}/${shown(name)}": "${only.id}" }.`,
    };
  }
  const others = credentials.filter((one) => one.type === type).map((one) => one.name);
  const near = nearestNames(name, others, 3);
  const advice =
    others.length === 0
      ? 'Create it there.'
      : `Of this type it has ${inQuotes(near.length > 0 ? near : others.slice(0, 3)).join(', ')}: create or rename one.`;
  return {
    problem: `uses the credential "${shown(name)}" (${type}), which n8n (${instance}) does not have. ${advice}`,
  };
}

function workflowFor(place: Pointing, held: readonly Place[], n8n: Target8n): Found {
  const { instance, workflows, side, files } = n8n;
  const given = place.id;
  if (given === undefined) return { keep: true };
  const ref = refIn(given);
  if ('file' in ref) {
    const id = n8n.idOf(ref.file);
    const found = id === undefined ? undefined : workflows.get(id);
    if (found) return { id: found.id, name: found.name };
    if (n8n.isComing(ref.file)) return { pending: ref.file };
    if (files.has(ref.file))
      return {
        problem: `refers to ${refOfFile(ref.file)}, which n8n (${instance}) does not have yet. Push that file, too.`,
      };
    const near = nearestNames(ref.file, files, 2).map(refOfFile);
    return {
      problem: `refers to ${shown(given)}, and the folder has no such file.${near.length > 0 ? ` It has ${near.join(' and ')}.` : ''}`,
    };
  }
  if ('name' in ref) {
    const pin = side.named.get(ref.name);
    const namesakes = [...workflows.values()].filter(({ id, name }) =>
      pin === undefined ? name === ref.name : id === pin,
    );
    const [only] = namesakes;
    if (only && namesakes.length === 1) return { id: only.id, name: only.name };
    const place8n = `${SIDE_FOLDER}/${instance}.json`;
    return {
      problem: only
        ? `refers to the workflow "${shown(ref.name)}", and n8n (${instance}) has several of this name: ${namesakes.map(({ id }) => id).join(', ')}. Say which one in ${place8n}: "named": { "${shown(ref.name)}": "${only.id}" }.`
        : pin === undefined
          ? `refers to the workflow "${shown(ref.name)}", which n8n (${instance}) does not have. Create it there, or pull it into the folder.`
          : `refers to the workflow "${shown(ref.name)}", which ${place8n} pins to ${shown(pin)}: n8n has no such workflow.`,
    };
  }
  const known = workflows.has(given) || held.some((one) => one.kind === place.kind && 'id' in one && one.id === given);
  if (known) return { keep: true };
  return {
    problem: `refers to the workflow ${shown(given)}, which n8n (${instance}) does not have. Name it by its file (./name.json) or as name:NAME.`,
  };
}

/** Whether the workflow in n8n points at other things than its file says now. */
export function pointsElsewhere(wanted: Form, now: Workflow): boolean {
  const idsIn = (workflow: Pick<Workflow, 'name' | 'nodes' | 'connections'>) =>
    placesIn(workflow as Workflow).flatMap((place) => {
      if (place.kind === 'variable' || place.kind === 'dynamic' || place.kind === 'data table') return [];
      const node = workflow.nodes.find(({ name }) => name === place.node);
      const of = place.node === undefined ? '' : ((node && sameNode(now.nodes, node)?.name) ?? place.node);
      return [JSON.stringify([of, place.where, place.id])];
    });
  const there = new Set(idsIn(now));
  return idsIn(wanted).some((one) => !there.has(one));
}
