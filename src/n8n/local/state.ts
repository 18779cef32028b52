import { z } from 'zod';
import { readJson, writeJson } from './json-file.ts';
import type { InstancePlaces } from './places.ts';

const base = {
  /** The process that keeps it, not n8n's own. */
  pid: z.number().int(),
  /** Inside a gateway it ends with that; apart it goes on until it is stopped. */
  keptBy: z.enum(['gateway', 'itself']),
  version: z.string(),
  restarts: z.number().int(),
  since: z.string(),
};

const stateSchema = z.discriminatedUnion('state', [
  /** Whether it has to be installed is not known yet. */
  z.object({ ...base, state: z.literal('preparing') }),
  z.object({ ...base, state: z.literal('installing') }),
  /** The reason is why it is started again. */
  z.object({ ...base, state: z.literal('starting'), url: z.string(), reason: z.string().optional() }),
  z.object({ ...base, state: z.literal('ready'), url: z.string(), n8nPid: z.number().int() }),
  z.object({ ...base, state: z.literal('restarting'), reason: z.string(), retryAt: z.string() }),
  z.object({ ...base, state: z.literal('failed'), reason: z.string() }),
  z.object({ ...base, state: z.literal('stopped') }),
]);

/** What the process that keeps a local n8n wrote down last; whether it still lives, its lock tells. */
export type LocalState = z.output<typeof stateSchema>;

export async function readState({ state }: InstancePlaces): Promise<LocalState | undefined> {
  const parsed = stateSchema.safeParse(await readJson(state));
  return parsed.success ? parsed.data : undefined;
}

export function writeState({ state }: InstancePlaces, content: LocalState): Promise<void> {
  return writeJson(state, content);
}
