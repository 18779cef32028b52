import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { GENERATED_TAG } from '../generated.ts';
import type { N8nDeps } from '../tool.ts';
import { type Asked, sidesOf } from './asked.ts';
import { contentHash, hashOf } from './compose.ts';
import { detailReader } from './details.ts';
import type { Fact } from './kept-plan.ts';
import { dynamicNotes, kindsIn, usersOf, variablesOf } from './needs.ts';
import type { Hole, Plan, Planned, Settled } from './plan.ts';
import { judged } from './judge.ts';
import { bottomUp, settled } from './settle.ts';
import type { Named } from './link.ts';
import { type Needs, readStock, readWorkflows, type Stock, type Workflows } from './side.ts';
import { wantedOf } from './wanted.ts';

/** Works out what a promotion would do. Changes nothing. */
export async function makePlan(
  asked: Asked,
  deps: Pick<N8nDeps, 'instances' | 'promotions'>,
  signal: AbortSignal,
): Promise<Plan> {
  const clients = sidesOf(deps.instances, asked);
  const [source, target, links] = await Promise.all([
    readWorkflows(clients.source, signal),
    readWorkflows(clients.target, signal),
    deps.promotions.links(clients.source.name, clients.target.name),
  ]);
  const wanted = wantedOf(source, asked);
  // Dependencies are not known yet, so look at all: lists are cheap.
  const kinds = kindsIn(source.all);
  const [sourceStock, targetStock] = await Promise.all([
    readStock(source, { ...kinds, tags: false, variables: false }, signal),
    readStock(target, { ...kinds, variables: kindsIn(wanted).variables || kinds.variables }, signal),
  ]);
  const known = { workflows: source, credentials: sourceStock.credentials, tables: sourceStock.tables };
  const { chosen, needs, find } = settled(wanted, asked, known, target, targetStock, links);
  const order = bottomUp(chosen, find);
  const read = detailReader(source.client, target.client, signal);
  const workflows = await Promise.all(
    order.map((one) => judged(one, { asked, needs, find, links, source, target, stock: targetStock, read, signal })),
  );
  const promoted = workflows.map((one) => one.source);
  const creates = createsOf(workflows, needs, asked, sourceStock, targetStock);
  const holes = [...needHoles(needs), ...variableHoles(promoted, targetStock, target)];
  return {
    asked,
    source,
    target,
    stock: { source: sourceStock, target: targetStock },
    workflows,
    needs,
    find,
    links,
    creates,
    holes,
    problems: chosen.flatMap(({ source: { name }, match }) =>
      match?.how === 'ambiguous'
        ? [
            `${target.client.name} has ${match.ids.length} workflows "${name}": ${match.ids.slice(0, 5).join(', ')}. Say which with mapping.workflows: { ${JSON.stringify(name)}: "id" }.`,
          ]
        : [],
    ),
    notes: [
      ...sourceStock.notes,
      ...targetStock.notes,
      ...dynamicNotes(promoted),
      ...droppedNotes(needs),
      ...strayNotes(asked, source, kinds, sourceStock),
      ...archivedNotes(workflows, target),
      ...draftNotes(workflows),
    ],
    facts: factsOf(workflows, needs, creates, source, target),
  };
}

function createsOf(
  workflows: readonly Planned[],
  needs: ReadonlyMap<string, Settled>,
  { include }: Asked,
  source: Stock,
  target: Stock,
): Plan['creates'] {
  const known = new Set(target.tags.map(({ name }) => name));
  const tags = include && !include.includes('tags') ? [] : workflows.flatMap(({ addsTags }) => addsTags);
  const created = [...needs.values()].filter(({ state }) => state === 'created');
  const ids = new Set(created.filter(({ kind }) => kind === 'data table').map(({ item }) => item.id));
  return {
    tags: [...new Set(tags)].filter((name) => !known.has(name)),
    tables: (source.tables ?? []).filter(({ id }) => ids.has(id)),
    credentials: created.filter(({ kind }) => kind === 'credential').map(({ item }) => item),
  };
}

function needHoles(needs: ReadonlyMap<string, Settled>): Hole[] {
  return [...needs.values()].flatMap((need) => {
    if (need.state !== 'hole') return [];
    const { kind, item, as, why, fix } = need;
    const what = kind === 'workflow' ? [...as].join(' and ') : kind;
    const type = item.type === undefined ? '' : ` (${item.type})`;
    return [{ what: `${what} "${item.name}"${type}`, used_by: usersOf(need), why, fix }];
  });
}

function variableHoles(promoted: readonly Planned['source'][], { variables }: Stock, { client }: Workflows): Hole[] {
  if (!variables) return [];
  const known = new Set(variables);
  return [...variablesOf(promoted)]
    .filter(([name]) => !known.has(name))
    .map(([name, usedBy]) => ({
      what: `variable "${name}"`,
      used_by: usersOf({ usedBy }),
      why: `${client.name} does not have it`,
      fix: `create the variable on ${client.name}`,
    }));
}

function droppedNotes(needs: ReadonlyMap<string, Settled>): string[] {
  return [...needs.values()].flatMap((need) =>
    need.state === 'dropped'
      ? [
          `${usersOf(need)} may be called by "${need.item.name}", which the target lacks. It is left out of the callers.`,
        ]
      : [],
  );
}

const MOST_STRAY = 5;

/** Entries of the mapping that name nothing on the source: probably misspelt, so that something else is taken instead. */
function strayNotes({ mapping = {} }: Asked, source: Workflows, kinds: Needs, stock: Stock): string[] {
  const lists: [string, Readonly<Record<string, string>> | undefined, readonly Named[] | undefined][] = [
    ['workflow', mapping.workflows, source.all],
    ['credential', mapping.credentials, kinds.credentials && stock.knowsCredentials ? stock.credentials : undefined],
    ['data table', mapping.data_tables, stock.tables],
  ];
  const notes = lists.flatMap(([kind, entries = {}, items]) => {
    const known = new Set(items?.flatMap(({ id, name }) => [id, name]));
    const stray = items ? Object.keys(entries).filter((word) => !known.has(word)) : [];
    return stray.map((word) => {
      const near = didYouMean(inQuotes(nearestNames(word, known)));
      return `The mapping names the ${kind} "${shown(word)}", which n8n (${source.client.name}) does not have. ${near}`.trim();
    });
  });
  return notes.slice(0, MOST_STRAY);
}

function archivedNotes(workflows: readonly Planned[], target: Workflows): string[] {
  return workflows.flatMap(({ action, link }) => {
    const old = action === 'create' && link ? target.byId.get(link.to.id) : undefined;
    return old?.isArchived
      ? [`"${old.name}" (${old.id}) on ${target.client.name} is archived. A new workflow is created instead.`]
      : [];
  });
}

function draftNotes(workflows: readonly Planned[]): string[] {
  const ahead = workflows.filter(
    ({ source, action }) => action !== 'unchanged' && source.active && source.activeVersionId !== source.versionId,
  );
  if (ahead.length === 0) return [];
  const names = ahead.slice(0, 5).map(({ source }) => `"${source.name}"`);
  return [`The drafts are promoted, which differ from what is live on the source: ${names.join(', ')}.`];
}

const tagNames = ({ tags }: Planned['source']): string[] =>
  (tags ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== GENERATED_TAG)
    .sort();

/** Everything that the plan relies on. */
function factsOf(
  workflows: readonly Planned[],
  needs: ReadonlyMap<string, Settled>,
  { tags }: Plan['creates'],
  source: Workflows,
  target: Workflows,
): Fact[] {
  return [
    ...workflows.map(({ source: one }) => ({
      key: `source ${one.id}`,
      what: `"${one.name}" on ${source.client.name}`,
      stamp: hashOf([contentHash(one), tagNames(one), one.active]),
    })),
    ...workflows.map(({ source: { id, name }, present }) => ({
      key: `target of ${id}`,
      what: `"${name}" on ${target.client.name}`,
      stamp: present ? hashOf([present.id, contentHash(present), tagNames(present), present.activeVersionId]) : 'none',
    })),
    ...[...needs.values()].map((need) => ({
      key: need.key,
      what: `the ${need.kind} "${need.item.name}" on ${target.client.name}`,
      stamp: need.state === 'mapped' ? need.to.id : need.state,
    })),
    ...tags.map((name) => ({
      key: `tag ${name}`,
      what: `that ${target.client.name} lacks the tag "${name}"`,
      stamp: '',
    })),
  ];
}
