import { hash, randomBytes } from 'node:crypto';
import type { Author, NewObservation, Observation } from '../engine.ts';
import { provenanceOf, type Stored } from './properties.ts';
import { OPEN_END, OPEN_START, overlap, periodOf } from './validity.ts';

/*
 * An entity has its observations as a list of texts, and what else is known about them in lists beside it. An id begins
 * with a digest of its text, so that they find each other again if somebody edits the texts in Neo4j.
 */

const digestOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 12);

const textsIn = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

export function observationsOf(stored: Stored): Observation[] {
  const ids = textsIn(stored.observation_ids);
  const [at, by, from, to] = [
    stored.observation_recorded_at,
    stored.observation_recorded_by,
    stored.observation_valid_from,
    stored.observation_valid_to,
  ].map(textsIn) as [string[], string[], string[], string[]];
  const free = new Map(ids.map((id, index) => [index, id]));
  const entity = provenanceOf(stored);
  return textsIn(stored.observations).map((text, place) => {
    const digest = digestOf(text);
    const index = free.get(place)?.startsWith(digest) ? place : [...free].find(([, id]) => id.startsWith(digest))?.[0];
    if (index === undefined) return { id: digest, text, recordedAt: entity.recordedAt, by: entity.by };
    free.delete(index);
    return {
      id: ids[index] as string,
      text,
      recordedAt: at[index] ?? entity.recordedAt,
      ...periodOf(from[index], to[index]),
      by: authorFrom(by[index]) ?? entity.by,
    };
  });
}

function authorFrom(json: string | undefined): Author | undefined {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json) as Author;
  } catch {
    return undefined;
  }
}

export const observationFields = (observations: readonly Observation[]) => ({
  observations: observations.map(({ text }) => text),
  observation_ids: observations.map(({ id }) => id),
  observation_recorded_at: observations.map(({ recordedAt }) => recordedAt),
  observation_recorded_by: observations.map(({ by }) => JSON.stringify(by)),
  observation_valid_from: observations.map(({ validFrom = OPEN_START }) => validFrom),
  observation_valid_to: observations.map(({ validTo = OPEN_END }) => validTo),
});

/** Those that are not there yet for an overlapping period. */
export function newOnes(
  known: readonly Observation[],
  given: readonly NewObservation[],
  by: Author,
  now: string,
): Observation[] {
  const texts = Map.groupBy(known, ({ text }) => text);
  const added: Observation[] = [];
  for (const one of given) {
    const alike = texts.get(one.text) ?? [];
    if (alike.some((other) => overlap(other, one))) continue;
    const observation = {
      id: digestOf(one.text) + randomBytes(6).toString('base64url'),
      text: one.text,
      recordedAt: one.recordedAt ?? now,
      ...periodOf(one.validFrom, one.validTo),
      by: one.by ?? by,
    };
    texts.set(one.text, [...alike, observation]);
    added.push(observation);
  }
  return added;
}
