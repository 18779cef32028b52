import { createHash, randomBytes } from 'node:crypto';
import type { Author, Entity, Given, Observation, Properties, Relation, Validity } from '../engine.ts';
import { OPEN_END, OPEN_START } from './dialect.ts';

/** The columns that every table has. */
interface Row {
  readonly id: number;
  readonly key: string;
  readonly recorded_at: string;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly author: string;
}

export interface EntityRow extends Row {
  readonly name: string;
  readonly type: string;
  readonly properties: string;
  readonly version: number;
  readonly observation_count: number;
  readonly relation_count: number;
}

export interface ObservationRow extends Row {
  readonly entity: number;
  readonly text: string;
}

export interface RelationRow extends Row {
  readonly source: number;
  readonly target: number;
  readonly from_name: string;
  readonly to_name: string;
  readonly type: string;
  readonly properties: string;
}

export const COLUMNS = {
  key: 'text',
  recorded_at: 'text',
  valid_from: 'text',
  valid_to: 'text',
  author: 'text',
} as const;

/** The columns that every new row has. */
export const newRow = (given: Given, by: Author, now: string) => ({
  key: randomBytes(9).toString('base64url'),
  recorded_at: given.recordedAt ?? now,
  valid_from: given.validFrom ?? OPEN_START,
  valid_to: given.validTo ?? OPEN_END,
  author: JSON.stringify(given.by ?? by),
});

/** Unique indexes take short texts only. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const validity = ({ valid_from, valid_to }: Row): Validity => ({
  ...(valid_from !== OPEN_START && { validFrom: valid_from }),
  ...(valid_to !== OPEN_END && { validTo: valid_to }),
});

const provenance = (row: Row) => ({
  recordedAt: row.recorded_at,
  ...validity(row),
  by: JSON.parse(row.author) as Author,
});

export const entityOf = (row: EntityRow, observations: readonly ObservationRow[]): Entity => ({
  name: row.name,
  type: row.type,
  properties: JSON.parse(row.properties) as Properties,
  ...provenance(row),
  observations: observations.map(observationOf),
  counts: { observations: row.observation_count, relations: row.relation_count },
});

export const observationOf = (row: ObservationRow): Observation => ({
  id: row.key,
  text: row.text,
  ...provenance(row),
});

export const relationOf = (row: RelationRow): Relation => ({
  from: row.from_name,
  type: row.type,
  to: row.to_name,
  properties: JSON.parse(row.properties) as Properties,
  ...provenance(row),
});
