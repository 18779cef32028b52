import { AppError } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';
import { type Draft, isPointing, placesIn, type Pointing } from '../../mapping/places.ts';
import { slugOf } from '../export/file-name.ts';
import type { Template, Templates } from '../template.ts';
import { type Source, templateSource } from './source.ts';

const MOST_MEMBERS = 20;
/** Each costs requests to n8n and reads of the library. */
const MOST_CALLED = 100;

/** A workflow and those of its library that it calls. */
export interface Family {
  /** The workflow that was asked for comes first. */
  readonly members: readonly Source[];
  /** Which of them a place of a member names; undefined if none of them. */
  memberAt(member: number, place: Pointing): number | undefined;
}

/**
 * Gathers the workflows of a template library that a template calls, directly or indirectly. `isMapped` says which
 * places lead elsewhere. Workflows that call each other in a circle are gathered once.
 */
export async function gathered(
  main: Source,
  templates: Templates,
  isMapped: (place: Pointing) => boolean,
  signal: AbortSignal,
): Promise<Family> {
  const members = [main];
  const byTemplate = new Map(main.template ? [[main.template.id, 0]] : []);
  const found = new Map<string, number>();

  async function memberFor(member: Source, place: Pointing): Promise<number | undefined> {
    if (!member.template) return undefined;
    const template = await besideOf(templates, member.template, place, signal);
    if (!template) return undefined;
    const known = byTemplate.get(template.id);
    if (known !== undefined) return known;
    if (members.length === MOST_MEMBERS) {
      throw new AppError(
        'too_large',
        `"${main.name}" calls more than ${MOST_MEMBERS - 1} workflows of its library; nothing was imported. Import some of them first, and name them in "sub_workflows".`,
      );
    }
    byTemplate.set(template.id, members.length);
    return members.push(templateSource(template)) - 1;
  }

  for (let index = 0; index < members.length; index++) {
    const member = members[index] as Source;
    for (const place of calledIn(member)) {
      if (isMapped(place)) continue;
      const isSelf = place.id !== undefined && place.id === (member.ownId ?? nameForId(member, place));
      // Nobody imports a workflow only because it may call this one.
      const of = isSelf ? index : place.kind === 'caller' ? undefined : await memberFor(member, place);
      if (of !== undefined) found.set(keyOf(index, place), of);
    }
  }
  return { members, memberAt: (member, place) => found.get(keyOf(member, place)) };
}

/** An export for sharing has names in the place of ids, also of the workflow itself. */
const nameForId = ({ name }: Source, place: Pointing): string | undefined =>
  place.name === undefined || place.name === name ? name : undefined;

/** The places of a workflow that name others. */
function calledIn(member: Source): Pointing[] {
  const places = placesIn(draftOf(member))
    .filter(isPointing)
    .filter(({ kind }) => kind !== 'credential' && kind !== 'data table');
  if (new Set(places.map(({ id, name }) => JSON.stringify([id, name]))).size <= MOST_CALLED) return places;
  throw new AppError(
    'too_large',
    `"${shown(member.name)}" names more than ${MOST_CALLED} other workflows; nothing was imported. Split it.`,
  );
}

const keyOf = (member: number, { node, where, id, name }: Pointing): string =>
  JSON.stringify([member, node, where, id ?? name]);

export const draftOf = ({ nodes, connections, settings }: Source): Draft => ({
  nodes: nodes as unknown as Draft['nodes'],
  connections,
  settings: { ...settings },
});

/** A name that can be part of a template's id. It comes from a stranger's file: it must not lead out of its folder. */
// oxlint-disable-next-line no-control-regex
const isPlain = (name: string): boolean => name.length <= 120 && !/[/\\\u0000-\u001f]|^\.+$|^\s*$/.test(name);

/**
 * The template of the same library that a place names: in the same folder or at the top of the library, a file called
 * like the workflow (`Charge card.json`, `charge-card.json`) or like its id.
 */
async function besideOf(
  templates: Templates,
  { id, library }: Pick<Template, 'id' | 'library'>,
  place: Pointing,
  signal: AbortSignal,
): Promise<Template | undefined> {
  if (!id.startsWith(`${library}/`)) return undefined;
  const folder = id.slice(0, id.lastIndexOf('/'));
  // The id comes first: two workflows may have the same name, and an export then has the name of the file for the id.
  const names = [place.id, place.name].filter((name) => name !== undefined && isPlain(name)) as string[];
  const stems = names.flatMap((name) => [name, slugOf(name)]).filter((stem) => stem !== '');
  const wanted = [folder, library].flatMap((at) => stems.flatMap((stem) => [`${at}/${stem}.json`, `${at}/${stem}`]));
  for (const one of new Set(wanted)) {
    try {
      return await templates.get(one, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
  }
  return undefined;
}
