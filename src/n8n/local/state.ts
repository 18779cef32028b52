import { z } from 'zod';
import { readJson, writeJson } from './json-file.ts';
import type { InstancePlaces } from './places.ts';

const base = {
  /** The process that runs n8n, not n8n's own. */
  pid: z.number().int(),
  /** `gateway`: n8n ends with the gateway. `itself`: it runs until it is stopped. */
  keptBy: z.enum(['gateway', 'itself']),
  version: z.string(),
  restarts: z.number().int(),
  since: z.string(),
};

const stateSchema = z.discriminatedUnion('state', [
  /** It is not known yet whether n8n has to be installed. */
  z.object({ ...base, state: z.literal('preparing') }),
  z.object({ ...base, state: z.literal('installing') }),
  /** `reason`: why n8n was restarted. */
  z.object({ ...base, state: z.literal('starting'), url: z.string(), reason: z.string().optional() }),
  z.object({ ...base, state: z.literal('ready'), url: z.string(), n8nPid: z.number().int() }),
  z.object({ ...base, state: z.literal('restarting'), reason: z.string(), retryAt: z.string() }),
  z.object({ ...base, state: z.literal('failed'), reason: z.string() }),
  z.object({ ...base, state: z.literal('stopped') }),
]);

/** The last state that the keeper of a local n8n wrote. The lock tells whether the keeper still lives. */
export type LocalState = z.output<typeof stateSchema>;

export async function readState({ state }: InstancePlaces): Promise<LocalState | undefined> {
  const parsed = stateSchema.safeParse(await readJson(state));
  return parsed.success ? parsed.data : undefined;
}

export function writeState({ state }: InstancePlaces, content: LocalState): Promise<void> {
  return writeJson(state, content);
}
