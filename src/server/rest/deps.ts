import type { Gateway } from '../../gateway/gateway.ts';
import type { CallPath } from '../../kernel/call.ts';

/** What the REST endpoints stand on. */
export interface RestDeps {
  readonly gateway: Pick<Gateway, 'registry' | 'visibility' | 'settings' | 'service' | 'backend' | 'backends'>;
  readonly callPath: CallPath;
  readonly version: string;
  /** False until every backend has tried to start once. */
  ready(): boolean;
  /** Aborted when the gateway stops: calls in flight end with an answer that says so. */
  readonly stopping?: AbortSignal | undefined;
}
