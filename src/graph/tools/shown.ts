import { z } from 'zod';
import type { Entity, Observation, Properties, Provenance, Relation } from '../engine.ts';

/** In lists, longer observations are cut. graph_get_entities has them whole. */
const LONGEST_IN_LIST = 300;
/** Of all observations of one entity in a list. */
const LONGEST_LIST = 1200;

export const entityOutput = z.looseObject({
  name: z.string(),
  type: z.string(),
  recorded_at: z.string(),
  observations: z.array(z.unknown()).describe('Texts, oldest first; with detail "full" also id, times and author'),
});

export const relationOutput = z.looseObject({ from: z.string(), type: z.string(), to: z.string() });

export const truncatedOutput = z.string().optional().describe('What was left out, and how to get it');

export const shortText = (text: string, longest = LONGEST_IN_LIST): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}… (${text.length} characters)` : text;

const propertiesOf = (properties: Properties) => (Object.keys(properties).length > 0 ? { properties } : {});

/** An observation or a relation is true since it was recorded, unless something else was said. */
const periodOf = ({ recordedAt, validFrom, validTo }: Provenance) => ({
  ...(validFrom !== undefined && validFrom !== recordedAt && { valid_from: validFrom }),
  ...(validTo !== undefined && { valid_to: validTo }),
});

const provenanceOf = (of: Provenance) => ({ recorded_at: of.recordedAt, ...periodOf(of), by: of.by });

export const shownObservation = (observation: Observation, isFull: boolean): unknown =>
  isFull ? { id: observation.id, text: observation.text, ...provenanceOf(observation) } : observation.text;

/** An entity without its observations. */
export const shownHead = (entity: Entity, isFull = false) => ({
  name: entity.name,
  type: entity.type,
  ...propertiesOf(entity.properties),
  recorded_at: entity.recordedAt,
  ...periodOf(entity),
  ...(isFull && { by: entity.by }),
  observations: [] as unknown[],
});

/** An entity in a list: some of its observations, shortened. */
export function shownEntity(entity: Entity, texts: readonly string[] = entity.observations.map(({ text }) => text)) {
  const short = texts.map((text) => shortText(text));
  let length = 0;
  const over = short.findIndex((text, at) => (length += text.length) > LONGEST_LIST && at > 0);
  const shown = over === -1 ? short : short.slice(0, over);
  const left = entity.counts.observations - shown.length;
  return {
    ...shownHead(entity),
    observations: shown,
    ...(left > 0 && { more_observations: left }),
  };
}

export const shownRelation = (relation: Relation, isFull = false) => ({
  from: relation.from,
  type: relation.type,
  to: relation.to,
  ...propertiesOf(relation.properties),
  ...(isFull ? provenanceOf(relation) : periodOf(relation)),
});
