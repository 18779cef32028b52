import { messageOf } from '../../kernel/errors.ts';
import { late } from '../../kernel/late.ts';
import type { Neo4j } from './connection.ts';

const commands = [
  'CREATE CONSTRAINT sluice_entity_name IF NOT EXISTS FOR (n:Entity) REQUIRE n.name IS UNIQUE',
  'CREATE INDEX sluice_entity_folded_name IF NOT EXISTS FOR (n:Entity) ON (n.folded_name)',
];

/**
 * Makes names unique, once before the first write. Where the user may not, or where names are there twice already,
 * Sluice goes on without.
 */
export function createSchema(neo4j: Neo4j, warn: (line: string) => void): () => Promise<void> {
  return late(async () => {
    for (const command of commands) {
      const problem = await neo4j.command(command);
      if (problem)
        warn(
          `Neo4j at ${neo4j.where} did not accept "${command}", so two calls at once could create an entity twice. Let an administrator run it. Neo4j said: ${messageOf(problem)}`,
        );
    }
  });
}
