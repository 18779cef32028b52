import { graphGetSchema } from '../tools/graph-get-schema.ts';
import { graphQuery } from '../tools/graph-query.ts';
import { graphWrite } from '../tools/graph-write.ts';

/** The tools that only Neo4j has. */
export const cypherTools = [graphQuery, graphWrite, graphGetSchema];
