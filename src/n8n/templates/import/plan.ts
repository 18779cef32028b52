import { shown } from '../../../kernel/nearest-names.ts';
import type { Catalogue } from '../../../nodes/catalogue.ts';
import type { N8nClient } from '../../client/client.ts';
import { isNotAllowed, type KnownCredentials, knownCredentials } from '../../credentials/known-credentials.ts';
import { placesIn, type Pointing } from '../../mapping/places.ts';
import { sharedAddress } from '../../workflows/copied-nodes.ts';
import { existingWorkflow } from '../../workflows/existing.ts';
import type { Templates } from '../template.ts';
import type { Ready } from './create-drafts.ts';
import { assertUsed, credentialChooser } from './credential-choice.ts';
import { type Want, wantsOf } from './credential-wants.ts';
import { draftOf, type Family, gathered } from './family.ts';
import { hereIn, type Named } from './here.ts';
import { drafted } from './member.ts';
import { checkedNodes } from './node-check.ts';
import { placeKey, resolved } from './references.ts';
import type { ReportLists, ToFill } from './report.ts';
import type { Source } from './source.ts';

export interface PlanInput {
  readonly source: Source;
  readonly name?: string | undefined;
  /** By type, or by type and name in the template: `slackApi`, `slackApi/Bot`. */
  readonly credentials: ReadonlyMap<string, string>;
  /** By id or name in the template: ids here. */
  readonly subWorkflows: ReadonlyMap<string, string>;
  readonly pins: boolean;
  readonly templates: Templates;
}

export interface Plan {
  /** The workflow that was asked for comes first. */
  readonly drafts: readonly Ready[];
  readonly lists: ReportLists;
  readonly notes: readonly string[];
}

/** Decides everything about an import, and reads what that takes. Changes nothing. */
export async function planned(
  client: N8nClient,
  catalogue: Catalogue,
  input: PlanInput,
  signal: AbortSignal,
): Promise<Plan> {
  const here = hereIn(client, signal);
  const chosen = await chosenWorkflows(client, input.subWorkflows, signal);
  const isChosen = ({ id = '', name = '' }: Pointing) => chosen.has(id) || chosen.has(name);
  const family = await gathered(input.source, input.templates, isChosen, signal);
  assertUsed('sub_workflows', input.subWorkflows, workflowNames(family.members));
  const members = family.members.map((source, index) => {
    const checked = checkedNodes(source.nodes, source.connections, catalogue);
    const wants = wantsOf(checked.nodes, source.connections, catalogue);
    return { source, index, checked, wants, label: index === 0 ? {} : { workflow: shown(source.name) } };
  });
  const wants = members.flatMap((member) => member.wants);
  assertUsed('credentials', input.credentials, credentialKeys(wants));
  const known = wants.length > 0 ? await credentialsHere(client, signal) : undefined;
  const choose = credentialChooser(known ?? { credentials: [], source: 'workflows' }, input.credentials);

  const lists = {
    missing_nodes: members.flatMap(({ checked }) =>
      checked.missing.map((one) => ({ ...one, nodes: one.nodes.slice(0, 5), similar: [...one.similar] })),
    ),
    unknown_versions: members.flatMap(({ checked, label }) => checked.versions.map((one) => ({ ...label, ...one }))),
    versions: members.flatMap(({ checked, label }) => checked.raised.map((one) => ({ ...label, ...one }))),
    to_fill: [] as ToFill[],
    credentials: [] as NonNullable<ReportLists['credentials']>,
    dropped: [] as string[],
  };
  const notes: string[] = [];
  if (known?.source === 'workflows' && known.note !== undefined) notes.push(known.note);
  const drafts: Ready[] = [];
  for (const { source, index, checked, wants: own, label } of members) {
    const places = placesIn(draftOf({ ...source, nodes: checked.nodes }));
    const linked = (place: Pointing) => family.memberAt(index, place);
    const isLinked = (place: Pointing) => linked(place) !== undefined;
    const references = await resolved(places, { here, chosen, isLinked });
    const choices = own.map((want) => ({ want, choice: choose(want) }));
    for (const { want, choice } of choices) {
      const at = { ...label, node: want.node, type: want.type };
      if (choice.used) lists.credentials.push({ ...at, used: choice.used, why: choice.why });
      else if (want.used) lists.to_fill.push(credentialToFill(want, choice.candidates, at));
      else
        lists.dropped.push(`credential ${want.type} of "${shown(want.node, 60)}": its configuration does not use it`);
    }
    lists.to_fill.push(...references.toFill.map((one) => ({ ...label, ...one })));
    const name = (index === 0 ? input.name : undefined) ?? (source.name || 'Imported workflow');
    const target = (place: Pointing) => (isLinked(place) ? undefined : references.targets.get(placeKey(place)));
    const made = drafted({ source, name, nodes: checked.nodes, choices, target, pins: input.pins }, catalogue);
    lists.dropped.push(...references.dropped, ...made.dropped);
    for (const note of references.notes) if (!notes.includes(note)) notes.push(note);
    if (made.shared.length > 0) notes.push(sharedAddress(made.shared));
    if ((await here.called(made.draft.name)).length > 0) {
      notes.push(`There is another workflow called "${shown(made.draft.name)}"; n8n allows that.`);
    }
    drafts.push({ draft: made.draft, linked, links: linksOf(family, index, places.filter(isWorkflow)) });
  }
  return { drafts, lists, notes };
}

const isWorkflow = (place: { kind: string }): place is Pointing =>
  place.kind === 'sub-workflow' || place.kind === 'error workflow' || place.kind === 'caller';

function linksOf(family: Family, member: number, places: readonly Pointing[]): ReadonlySet<number> {
  return new Set(places.flatMap((place) => family.memberAt(member, place) ?? []));
}

async function chosenWorkflows(
  client: N8nClient,
  mapping: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Named>> {
  const found = new Map<string, Named>();
  for (const [key, id] of mapping) {
    const { name } = await existingWorkflow(client, id, signal);
    found.set(key, { id, name });
  }
  return found;
}

function workflowNames(members: readonly Source[]): ReadonlySet<string> {
  const places = members.flatMap((member) => placesIn(draftOf(member)).filter(isWorkflow));
  return new Set(places.flatMap(({ id, name, kind }) => (kind === 'caller' ? [] : [name ?? [], id ?? []].flat())));
}

function credentialKeys(wants: readonly Want[]): ReadonlySet<string> {
  return new Set(wants.flatMap(({ type, name }) => (name === undefined ? [type] : [type, `${type}/${name}`])));
}

/** What is known of the credentials here. A key that may not even read workflows knows none. */
async function credentialsHere(client: N8nClient, signal: AbortSignal): Promise<KnownCredentials> {
  try {
    return await knownCredentials(client, signal);
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    return { credentials: [], source: 'workflows', note: `Credentials could not be connected: ${error.message}` };
  }
}

function credentialToFill(want: Want, candidates: readonly Named[], at: { node: string; type: string }): ToFill {
  return {
    what: 'credential',
    ...at,
    ...(want.name !== undefined && { name: shown(want.name) }),
    ...(candidates.length > 0 && { candidates: [...candidates] }),
    how: `${candidates.length > 0 ? 'Choose one' : 'n8n_create_credential'}, then n8n_edit_workflow set_credential`,
  };
}
