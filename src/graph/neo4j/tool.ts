import { z } from 'zod';
import type { RefuseSecrets } from '../../kernel/no-secrets.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Neo4j } from './connection.ts';

/** What the tools with Cypher may use. */
export interface CypherDeps {
  /** Connected on first use. */
  neo4j(): Promise<Neo4j>;
  readonly refuse: RefuseSecrets;
}

export const cypherTool = toolsFor<CypherDeps>({ category: 'graph', tags: ['graph', 'cypher', 'neo4j'] });

export const cypherInput = z.string().min(1).max(100_000);
export const paramsInput = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Values of $name in the statement, e.g. {"name": "Ada"}');
export const timeoutInput = z.number().positive().max(300).default(30).describe('Seconds');

export const rowsOutput = {
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.unknown())),
  truncated: z.string().optional().describe('What was left out, and how to get it'),
};
