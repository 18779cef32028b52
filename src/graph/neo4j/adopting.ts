import type { Node } from 'neo4j-driver';
import type { Author } from '../engine.ts';
import type { Run } from './connection.ts';
import { ENTITY, headFields, wholeOf } from './entity.ts';
import { observationFields } from './observations.ts';
import { provenanceFields } from './properties.ts';
import { nextSequence } from './sequence.ts';

const MOST = 1000;

/** Gives entities that somebody created with Cypher what ours have, so that they are dated and found. */
export async function adopt(run: Run, by: Author): Promise<void> {
  const { rows } = await run<{ n: Node }>(
    `MATCH (n:${ENTITY}) WHERE n.sequence IS NULL AND n.name IS NOT NULL RETURN n LIMIT $most`,
    { most: MOST },
  );
  const recordedAt = new Date().toISOString();
  const entities = rows.map(({ n }) => {
    const entity = wholeOf(n);
    const isDated = n.properties.recorded_at !== undefined;
    return {
      name: entity.name,
      fields: {
        ...headFields(entity, entity.properties, entity.observations),
        ...observationFields(
          isDated ? entity.observations : entity.observations.map((one) => ({ ...one, recordedAt, by })),
        ),
        ...(!isDated && provenanceFields({ recordedAt, by })),
        sequence: nextSequence(),
      },
    };
  });
  if (entities.length > 0)
    await run(
      'UNWIND $entities AS one MATCH (n:Entity {name: one.name}) WHERE n.sequence IS NULL SET n += one.fields',
      {
        entities,
      },
    );
}
