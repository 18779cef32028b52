import type { Node } from 'neo4j-driver';
import { termsOf } from '../../kernel/terms.ts';
import type { Entity, Head, Observation, Properties, Reading, Relation, RelationName } from '../engine.ts';
import { foldedName } from '../names.ts';
import { aboutWords } from '../words.ts';
import { observationFields, observationsOf } from './observations.ts';
import { propertiesOf, propertyChanges, provenanceFields, provenanceOf, type Stored } from './properties.ts';
import { isValid } from './validity.ts';

/** The label that every entity has besides its type. */
export const ENTITY = 'Entity';

/** An entity with all its observations, of every period. */
export type Whole = Omit<Entity, 'counts'> & { readonly sequence: string };

export function wholeOf({ labels, properties: stored }: Pick<Node, 'labels' | 'properties'>): Whole {
  const { name, type, sequence } = stored as Stored;
  return {
    name: String(name),
    type: typeof type === 'string' ? type : (labels.find((label) => label !== ENTITY) ?? ENTITY),
    properties: propertiesOf(stored),
    ...provenanceOf(stored),
    observations: observationsOf(stored),
    sequence: typeof sequence === 'string' ? sequence : '',
  };
}

/** The type of a node that has none as a property is its label. */
export const typeIn = (node: string): string =>
  `coalesce(${node}.type, head([label IN labels(${node}) WHERE label <> '${ENTITY}']), '${ENTITY}')`;

export function entityOf(
  { sequence: _, ...whole }: Whole,
  relations: number,
  { asOf, observations: most }: Reading,
): Entity {
  const valid = whole.observations.filter((one) => isValid(one, asOf));
  return { ...whole, observations: valid.slice(0, most), counts: { observations: valid.length, relations } };
}

export const nodeFields = ({ properties, observations, sequence, ...entity }: Whole) => ({
  ...propertyChanges({}, properties),
  ...headFields(entity, properties, observations),
  ...provenanceFields(entity),
  ...observationFields(observations),
  sequence,
});

/** What depends on the name, the type, the properties and the observations together. */
export const headFields = ({ name, type }: Head, properties: Properties, observations: readonly Observation[]) => ({
  name,
  folded_name: foldedName(name),
  type,
  search_words: [
    ...new Set([
      ...termsOf(name),
      ...aboutWords(type, properties).split(' '),
      ...observations.flatMap(({ text }) => termsOf(text)),
    ]),
  ].filter((word) => word !== ''),
});

/** A row of a query that returns relations. */
export interface RelationRow {
  readonly from: string;
  readonly type: string;
  readonly to: string;
  readonly stored: Stored;
}

/** Relationships `r` from `f` to `t` at the entities called `$names`. Starts from these, not from all relationships. */
export const RELATIONS_AT = `MATCH (n:${ENTITY}) WHERE n.name IN $names MATCH (n)-[r]-(:${ENTITY})
  WITH DISTINCT r, startNode(r) AS f, endNode(r) AS t`;

/** For RETURN, given the names of the nodes and the relationship. */
export const RELATION_ROW = 'f.name AS from, type(r) AS type, t.name AS to, properties(r) AS stored';
/** Oldest first. Relationships of others have no sequence. */
export const RELATION_ORDER = "coalesce(r.sequence, ''), f.name, type(r), t.name";

export const relationOf = ({ from, type, to, stored }: RelationRow): Relation => ({
  from,
  type,
  to,
  properties: propertiesOf(stored),
  ...provenanceOf(stored),
});

export const relationFields = (
  { from: _from, type: _type, to: _to, properties, ...rest }: Relation,
  sequence: string,
) => ({
  ...propertyChanges({}, properties),
  ...provenanceFields(rest),
  sequence,
});

export const relationKey = ({ from, type, to }: RelationName): string => JSON.stringify([from, type, to]);
