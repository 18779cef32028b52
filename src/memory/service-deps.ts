import type { EventLog } from '../kernel/events.ts';
import type { FactOf } from '../kernel/facts.ts';
import type { Quota } from '../kernel/quota.ts';
import type { RefuseSecrets } from '../kernel/no-secrets.ts';
import type { Json } from '../kernel/source.ts';
import type { Embeddings } from './embedding.ts';
import type { MemoryEngine } from './engine.ts';
import type { memoryFacts } from './facts.ts';
import type { Namespaces } from './namespaces/namespaces.ts';
import type { Recalls } from './recalls.ts';

export interface Given {
  readonly text: string;
  readonly namespace?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Json | undefined;
  readonly valid_from?: string | undefined;
  readonly valid_to?: string | undefined;
  readonly ttl?: string | number | undefined;
  readonly pin?: boolean | undefined;
}

/** Filters as a caller gives them. */
export interface Filter {
  readonly namespace?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly as_of?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly pinned?: boolean | undefined;
  /** Ended versions too. */
  readonly history?: boolean | undefined;
}

export interface ServiceDeps {
  readonly engine: MemoryEngine;
  readonly namespaces: Namespaces;
  readonly embeddings: Embeddings;
  readonly recalls: Recalls;
  readonly events: EventLog<FactOf<typeof memoryFacts>>;
  readonly refuseSecrets: RefuseSecrets;
  /** Limits what each caller keeps. */
  readonly quota: Quota;
  /** In days; 0 for none. */
  halfLife(): number;
  now(): number;
}
