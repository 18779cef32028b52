import { AppError } from '../kernel/errors.ts';
import type { RefuseSecrets } from '../kernel/no-secrets.ts';
import { didYouMean, inQuotes } from '../kernel/nearest-names.ts';
import { queryTerms } from '../kernel/terms.ts';
import { checkedName, checkedProperties, checkedText, checkedType, checkedValidity, lookedUp } from './checked.ts';
import type {
  Given,
  GraphEngine,
  NewEntity,
  NewObservation,
  NewObservations,
  NewRelation,
  ObservationNames,
  RelationName,
} from './engine.ts';
import { foldedName } from './names.ts';

/**
 * The rules of the graph, the same for every engine: what may be stored, and from when it is true. An entity has no
 * beginning unless one is given. An observation or a relation is true from when it was recorded.
 */
export function ruled(engine: GraphEngine, refuse: RefuseSecrets): GraphEngine {
  return {
    ...engine,
    async create(entities, by) {
      for (const { name, type, properties, observations } of entities)
        refuse({
          'The name of an entity': name,
          'A type': type,
          'A property': properties,
          'An observation': observations,
        });
      checkCount(entities);
      return await engine.create(newEntities(entities), by);
    },
    async relate(relations, by) {
      for (const { type, properties } of relations) refuse({ 'A type': type, 'A property': properties });
      return await suggesting(engine, engine.relate(newRelations(relations), by));
    },
    async observe(additions, by) {
      for (const { observations } of additions) refuse({ 'An observation': observations });
      checkCount(additions);
      return await suggesting(engine, engine.observe(newAdditions(additions), by));
    },
    async update(name, change) {
      refuse({ 'The name of an entity': change.name, 'A type': change.type, 'A property': change.properties });
      return await suggesting(
        engine,
        engine.update(lookedUp(name), {
          ...change,
          ...(change.name !== undefined && { name: checkedName(change.name) }),
          ...(change.type !== undefined && { type: checkedType(change.type) }),
          ...(change.properties && { properties: checkedProperties(change.properties) }),
        }),
      );
    },
    end: async (what, at) =>
      suggesting(
        engine,
        engine.end(
          {
            entities: distinct(what.entities.map(lookedUp)),
            observations: what.observations.map(observationNames),
            relations: what.relations.map(relationName),
          },
          at,
        ),
      ),
    deleteEntities: async (names) => engine.deleteEntities(distinct(names.map(lookedUp))),
    deleteObservations: async (deletions) => engine.deleteObservations(deletions.map(observationNames)),
    deleteRelations: async (relations) => engine.deleteRelations(relations.map(relationName)),
    merge: async (names, into) => suggesting(engine, engine.merge(distinct(names.map(lookedUp)), lookedUp(into))),
    open: async (names, reading) => engine.open(distinct(names.map(lookedUp)), reading),
    observations: async (name, page) => suggesting(engine, engine.observations(lookedUp(name), page)),
    search: async (query) => engine.search(query),
    neighbours: async (name, walk) => suggesting(engine, engine.neighbours(lookedUp(name), walk)),
    subgraph: async (names, walk) => suggesting(engine, engine.subgraph(distinct(names.map(lookedUp)), walk)),
    path: async (from, to, walk) => suggesting(engine, engine.path(lookedUp(from), lookedUp(to), walk)),
  };
}

/** What search gets for a question in plain words. */
export const asked = (query: string): { text: string; terms: string[] } => ({
  text: foldedName(lookedUp(query)),
  terms: queryTerms(query),
});

/** Of one call, for all entities together. */
const MOST_OBSERVATIONS = 5000;

function checkCount(given: readonly { readonly observations?: readonly unknown[] }[]): void {
  const count = given.reduce((sum, { observations = [] }) => sum + observations.length, 0);
  if (count > MOST_OBSERVATIONS)
    throw new AppError(
      'invalid_input',
      `These are ${count} observations; the limit is ${MOST_OBSERVATIONS} a call. Nothing was changed. Send them in several calls.`,
    );
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

/** One entity for each name: a second one adds its observations and properties to the first. */
function newEntities(given: readonly NewEntity[]): NewEntity[] {
  const byName = new Map<string, NewEntity>();
  for (const entity of given) {
    const name = checkedName(entity.name);
    const first = byName.get(name);
    byName.set(name, {
      ...entity,
      ...first,
      name,
      type: first?.type ?? checkedType(entity.type),
      properties: { ...checkedProperties(entity.properties ?? {}), ...first?.properties },
      ...recorded(entity, first),
      observations: newObservations([...(first?.observations ?? []), ...(entity.observations ?? [])]),
    });
  }
  return [...byName.values()];
}

const recorded = (entity: Given, first: Given = {}): Given => ({
  recordedAt: first.recordedAt ?? entity.recordedAt ?? new Date().toISOString(),
  ...checkedValidity({ ...entity, ...first }),
});

/** True from when it was recorded, unless the caller knows better. */
function dated<T extends Given>(given: T): T {
  const recordedAt = given.recordedAt ?? new Date().toISOString();
  // What ended before it was recorded began at an unknown time.
  const isOver = given.validTo !== undefined && given.validTo <= recordedAt;
  return { ...given, recordedAt, ...(!isOver && { validFrom: recordedAt }), ...checkedValidity(given) };
}

function newObservations(given: readonly NewObservation[]): NewObservation[] {
  const checked = given.map((one) => dated({ ...one, text: checkedText(one.text) }));
  return [...new Map(checked.map((one) => [JSON.stringify([one.text, one.validTo]), one])).values()];
}

function newAdditions(given: readonly NewObservations[]): NewObservations[] {
  const byName = Map.groupBy(given, ({ entity }) => lookedUp(entity));
  return [...byName].map(([entity, all]) => ({
    entity,
    observations: newObservations(all.flatMap(({ observations }) => observations)),
  }));
}

function newRelations(given: readonly NewRelation[]): NewRelation[] {
  const checked = given.map((one) =>
    dated({
      ...one,
      from: lookedUp(one.from),
      to: lookedUp(one.to),
      type: checkedType(one.type),
      properties: checkedProperties(one.properties ?? {}),
    }),
  );
  return [...new Map(checked.map((one) => [JSON.stringify([one.from, one.type, one.to, one.validTo]), one])).values()];
}

const observationNames = ({ entity, observations }: ObservationNames): ObservationNames => ({
  entity: lookedUp(entity),
  observations: distinct(observations.map((text) => text.toWellFormed().trim())),
});

const relationName = ({ from, type, to }: RelationName): RelationName => ({
  from: lookedUp(from),
  type: lookedUp(type),
  to: lookedUp(to),
});

const SUGGESTED = 3;

/** Names entities like the missing one. */
async function suggesting<T>(engine: GraphEngine, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    const missing: unknown = thrown instanceof AppError ? thrown.data?.missing : undefined;
    const [first]: unknown[] = Array.isArray(missing) ? missing : [];
    if (!(thrown instanceof AppError) || typeof first !== 'string') throw thrown;
    const alike = await engine.search({ ...asked(first), limit: SUGGESTED, skip: 0, asOf: 'any' }).catch(() => []);
    const near = didYouMean(inQuotes(alike.map(({ name }) => name)));
    if (near === '') throw thrown;
    throw new AppError(thrown.code, `${thrown.message} ${near}`, { cause: thrown, data: { missing } });
  }
}
