import neo4j, { type Duration, type Node, type Path, type Relationship, type UnboundRelationship } from 'neo4j-driver';

/** A value of Neo4j as JSON. Integers that JSON numbers cannot hold become texts, times their ISO form. */
export function plainValue(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (neo4j.isNode(value)) return plainNode(value);
  if (neo4j.isRelationship(value)) return plainRelationship(value);
  if (neo4j.isUnboundRelationship(value)) return plainUnbound(value);
  if (neo4j.isPath(value)) return plainPath(value);
  if (neo4j.isPoint(value)) {
    const { srid, x, y, z } = value;
    return { srid: plainValue(srid), x, y, ...(z !== undefined && { z }) };
  }
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (isTemporal(value)) return value.toString();
  return plainMap(value);
}

const temporal = [
  neo4j.isDate,
  neo4j.isTime,
  neo4j.isLocalTime,
  neo4j.isDateTime,
  neo4j.isLocalDateTime,
  neo4j.isDuration,
];

/** All of them have the same `toString`, the ISO form. */
const isTemporal = (value: object): value is Duration => temporal.some((is) => is(value));

export const plainMap = (map: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map).map(([key, one]) => [key, plainValue(one)]));

const plainNode = ({ elementId, labels, properties }: Node) => ({
  id: elementId,
  labels,
  properties: plainMap(properties),
});

const plainUnbound = ({ elementId, type, properties }: UnboundRelationship) => ({
  id: elementId,
  type,
  properties: plainMap(properties),
});

const plainRelationship = (relationship: Relationship) => ({
  ...plainUnbound(relationship as unknown as UnboundRelationship),
  from: relationship.startNodeElementId,
  to: relationship.endNodeElementId,
});

const plainPath = ({ start, segments }: Path) => ({
  nodes: [start, ...segments.map(({ end }) => end)].map(plainNode),
  relationships: segments.map(({ relationship }) => plainRelationship(relationship)),
});
