import { z } from 'zod';
import { integer } from '../host/config/scalars.ts';
import type { HostOf } from '../host/part.ts';

const SCHEMES = /^(?:neo4j|bolt)(?:\+s|\+ssc)?:\/\/[^/]/;

const neo4j = z.strictObject({
  url: z.string({ error: 'is missing' }).superRefine((given, context) => {
    if (SCHEMES.test(given) && URL.canParse(given)) return;
    context.addIssue({
      code: 'custom',
      message: 'is not the URL of a Neo4j',
      params: { fix: 'Write for example neo4j://localhost:7687, or neo4j+s://… for TLS.' },
    });
  }),
  username: z.string().min(1).default('neo4j'),
  password: z.string().default(''),
  /** Default: the user's home database. */
  database: z.string().min(1).optional(),
});

/** Without `neo4j`, the graph is in the store. */
const graphSection = z.strictObject({
  neo4j: neo4j.optional(),
  /** How many MB of the graph the store keeps for each caller. */
  quota: integer(1, 1_000_000).default(128),
});

export type GraphSection = z.output<typeof graphSection>;

export const graphSettings = {
  graph: z
    .union([z.literal(false), graphSection], { error: 'must be false, or an object such as { neo4j: { url: … } }' })
    .prefault({}),
};

export type GraphHost = HostOf<typeof graphSettings>;
