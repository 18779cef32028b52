import type { z } from 'zod';
import { askedIn } from '../../kernel/described.ts';
import { AppError } from '../../kernel/errors.ts';
import { quoted } from '../../kernel/some-of.ts';
import type { GraphEngine, Provenance, Relation, RelationName } from '../engine.ts';
import { asked } from '../graph.ts';
import { asOf } from '../tool.ts';
import { shortText } from '../tools/shown.ts';
import {
  type entityAnswer,
  entityQuery,
  type listAnswer,
  listQuery,
  type nearAnswer,
  nearQuery,
  type pathAnswer,
  pathQuery,
  type searchAnswer,
  searchQuery,
  type statsAnswer,
  statsQuery,
} from './answers.ts';

const MOST_TYPES = 200;

export async function list(graph: GraphEngine, request: Request): Promise<z.infer<typeof listAnswer>> {
  const { as_of, limit, after } = askedIn(listQuery, request);
  const page = { asOf: asOf(as_of), limit, ...(after !== undefined && { after }) };
  const [{ items, next }, first] = await Promise.all([
    graph.heads(page),
    graph.entities({ asOf: 'any', limit: 1, observations: 0 }),
  ]);
  return {
    entities: items.map(({ name, type }) => ({ name, type })),
    ...(next !== undefined && { next }),
    ...(first.items[0] && { since: first.items[0].recordedAt }),
  };
}

export async function search(graph: GraphEngine, request: Request): Promise<z.infer<typeof searchAnswer>> {
  const { query, as_of, limit } = askedIn(searchQuery, request);
  const hits = await graph.search({ ...asked(query), limit, skip: 0, asOf: asOf(as_of) });
  return {
    entities: hits.map(({ name, type, where, observations: [best] }) => ({
      name,
      type,
      found_in: [...where],
      ...(best && { observation: shortText(best.text) }),
    })),
  };
}

export async function entity(graph: GraphEngine, request: Request): Promise<z.infer<typeof entityAnswer>> {
  const { name, as_of, observations, after, relations } = askedIn(entityQuery, request);
  const at = asOf(as_of);
  const opened = await graph.open([name], { asOf: at, observations: 0, relations });
  const [found] = opened.entities;
  if (!found) {
    const then = as_of === undefined ? '' : ' at that time';
    throw new AppError('not_found', `No entity is called ${quoted(name)}${then}. Search for it by words.`);
  }
  const page = { asOf: at, limit: observations, ...(after !== undefined && { after }) };
  const { items, next } =
    observations === 0 ? { items: [], next: undefined } : await graph.observations(found.name, page);
  return {
    name: found.name,
    type: found.type,
    properties: found.properties,
    ...noted(found),
    counts: found.counts,
    observations: items.map((one) => ({ id: one.id, text: one.text, ...noted(one) })),
    ...(next !== undefined && { next }),
    relations: opened.relations.map(wholeRelation),
    ...(opened.more && { more_relations: true }),
  };
}

export async function near(graph: GraphEngine, request: Request): Promise<z.infer<typeof nearAnswer>> {
  const { name, as_of, depth, types, limit } = askedIn(nearQuery, request);
  const walk = { depth, direction: 'both', limit, asOf: asOf(as_of), ...typesIn(types) } as const;
  const { entities, relations, truncated } = await graph.neighbours(name, walk);
  return { entities, relations: relations.map(line), ...(truncated && { truncated: true }) };
}

export async function path(graph: GraphEngine, request: Request): Promise<z.infer<typeof pathAnswer>> {
  const { from, to, as_of, depth, types } = askedIn(pathQuery, request);
  const found = await graph.path(from, to, { depth, direction: 'both', asOf: asOf(as_of), ...typesIn(types) });
  if (!found) return { found: false, entities: [], relations: [] };
  const { entities, relations } = found;
  return {
    found: true,
    entities: entities.map(({ name, type }) => ({ name, type })),
    relations: relations.map(line),
  };
}

export async function stats(graph: GraphEngine, request: Request): Promise<z.infer<typeof statsAnswer>> {
  const { as_of } = askedIn(statsQuery, request);
  const { entityTypes, relationTypes, ...counts } = await graph.stats(asOf(as_of));
  return {
    ...counts,
    entity_types: entityTypes.slice(0, MOST_TYPES),
    relation_types: relationTypes.slice(0, MOST_TYPES),
  };
}

function typesIn(given: string | undefined): { types?: string[] } {
  const types = given?.split(',').flatMap((type) => type.trim() || []) ?? [];
  return types.length > 0 ? { types } : {};
}

const line = ({ from, type, to }: RelationName) => ({ from, type, to });

const wholeRelation = (relation: Relation) => ({
  ...line(relation),
  ...(Object.keys(relation.properties).length > 0 && { properties: relation.properties }),
  ...noted(relation),
});

const noted = ({ recordedAt, validFrom, validTo, by }: Provenance) => ({
  recorded_at: recordedAt,
  ...(validFrom !== undefined && { valid_from: validFrom }),
  ...(validTo !== undefined && { valid_to: validTo }),
  by: { ...by },
});
