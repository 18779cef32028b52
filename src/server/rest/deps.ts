import type { Gateway } from '../../gateway/gateway.ts';

/** What the REST endpoints need. */
export interface RestDeps {
  readonly gateway: Pick<Gateway, 'registry' | 'visibility' | 'service' | 'backend' | 'backends' | 'told'>;
  readonly version: string;
  /** False until every backend has tried to start once. */
  ready(): boolean;
  /** Aborted when the gateway stops: calls in flight end with an answer that says so. */
  readonly stopping?: AbortSignal | undefined;
}
