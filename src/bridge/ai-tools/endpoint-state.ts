import type { SourceFacts } from './endpoint-servers.ts';
import type { OwnRecords } from '../../n8n/generate/records.ts';
import type { Refused } from './generate/align-source.ts';
import type { Endpoint } from './generate/endpoint-group.ts';

/** A wanted tool that could not be made. */
export interface Lacking {
  readonly workflow: string;
  readonly tool: string;
  readonly reason: string;
}

/** What is stored about one n8n. */
export interface EndpointState {
  readonly endpoints: readonly Endpoint[];
  /** By workflow id. */
  readonly sources: Readonly<Record<string, SourceFacts>>;
  readonly lacking: readonly Lacking[];
  /** Tools that n8n refused, by workflow id. */
  readonly refused: Readonly<Record<string, readonly Refused[]>>;
  /** Why the last alignment failed. */
  readonly problem?: string;
}

const KEY = 'endpoints';
export const emptyState: EndpointState = { endpoints: [], sources: {}, lacking: [], refused: {} };

/** The stored states, by n8n. */
export async function readEndpointStates(get: OwnRecords['get']): Promise<Map<string, EndpointState>> {
  const stored = await get(KEY);
  return new Map(
    Object.entries(typeof stored === 'object' && stored !== null ? (stored as Record<string, EndpointState>) : {}),
  );
}

/** The state of every n8n, in memory and in the store. */
export async function openEndpointStates(records: OwnRecords) {
  const states = await readEndpointStates((key) => records.get(key));
  return {
    get: (instance: string): EndpointState => ({ ...emptyState, ...states.get(instance) }),
    instances: () => [...states.keys()],
    async change(instance: string, change: Partial<EndpointState>): Promise<void> {
      states.set(instance, { ...emptyState, ...states.get(instance), ...change });
      await records.put(KEY, Object.fromEntries(states));
    },
    /** The last alignment succeeded. */
    async solved(instance: string): Promise<void> {
      const { problem, ...rest } = states.get(instance) ?? emptyState;
      if (problem === undefined) return;
      states.set(instance, rest);
      await records.put(KEY, Object.fromEntries(states));
    },
  };
}

export type EndpointStates = Awaited<ReturnType<typeof openEndpointStates>>;
