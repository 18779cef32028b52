import { z } from 'zod';
import { duration } from '../host/config/duration.ts';
import { integer } from '../host/config/scalars.ts';
import type { HostOf } from '../host/part.ts';
import type { blueprintFacts } from './facts.ts';

const SHORTEST_TAKEOVER_MS = 3000;

const blueprintSection = z.strictObject({
  /** Folders with definitions, relative to the file. */
  folders: z.array(z.string().min(1)).default(['blueprints']),
  /** Definitions below this path of Vault, for example secret/blueprints. Needs modules.vault. */
  vault: z.string().min(1).optional(),
  /** How many runs this process carries out at once. */
  atOnce: integer(1, 200).default(50),
  /** How long a run of a process that died waits until another one takes over. */
  takeover: duration.refine((ms) => ms >= SHORTEST_TAKEOVER_MS, 'must be at least 3s').default(20_000),
  /** How many days runs are kept after their end. */
  keepDays: integer(1, 3650).default(90),
  /** The progress of runs is also in Redis, where one is configured, for this long. */
  progressTtl: duration.default(24 * 3_600_000),
});

export type BlueprintSection = z.output<typeof blueprintSection>;

export const blueprintSettings = {
  blueprints: z
    .union([z.literal(false), blueprintSection], {
      error: 'must be false, or an object such as { folders: [blueprints] }',
    })
    .prefault({}),
  /** Recipes, which are blueprints saved from a conversation. */
  recipes: z.boolean({ error: 'must be true or false' }).default(true),
};

export type BlueprintHost = HostOf<typeof blueprintSettings, typeof blueprintFacts>;
