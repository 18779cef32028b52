import { z } from 'zod';
import { modelChoice } from '../embedder/choice.ts';
import { httpUrl, integer } from '../host/config/scalars.ts';
import { duration } from '../host/config/duration.ts';
import type { HostOf } from '../host/part.ts';
import type { memoryFacts } from './facts.ts';

/** Names of keys, or ids of users. */
const members = z.array(z.string().min(1)).min(1);

const qdrant = z.strictObject({
  url: httpUrl,
  apiKey: z.string().optional(),
  /** The collections begin with this name. */
  collection: z
    .string()
    .regex(/^[\w-]{1,60}$/, 'must be letters, digits, _ or -, at most 60')
    .default('sluice-memory'),
  timeout: duration.default(10_000),
});

const memorySection = z.strictObject({
  /** Without it, memories are in the store. */
  qdrant: qdrant.optional(),
  embedder: modelChoice,
  /** How many days it takes until a memory that nobody recalls counts half as new. 0: age does not matter. */
  halfLife: integer(0, 36_500).default(90),
  /** How many MB of memories the store keeps for each caller. */
  quota: integer(1, 1_000_000).default(256),
  /** Who belongs to a project, by the name of a key or the id of a user. */
  projects: z.record(z.string().min(1), members).default({}),
});

export type MemorySection = z.output<typeof memorySection>;

export const memorySettings = {
  memory: z
    .union([z.literal(false), memorySection], { error: 'must be false, or an object such as { qdrant: { url: … } }' })
    .prefault({}),
};

export type MemoryHost = HostOf<typeof memorySettings, typeof memoryFacts>;
