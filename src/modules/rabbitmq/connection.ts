import type { z } from 'zod';
import type { Allowed } from '../allowed.ts';
import type { Asked } from '../http.ts';

/** The management API of a RabbitMQ, and what of it may be touched. */
export interface RabbitMq extends AsyncDisposable {
  /** For calls that name none. */
  readonly vhost: string;
  readonly isReadOnly: boolean;
  readonly vhosts: Allowed;
  readonly queues: Allowed;
  readonly exchanges: Allowed;
  /** Exchanges that may be published to, bound or changed: what arrives at them can reach any queue. */
  readonly writableExchanges: Allowed;
  /** Globs of the allow-lists, for filters that the broker applies. */
  readonly globs: {
    readonly queues?: readonly string[] | undefined;
    readonly exchanges?: readonly string[] | undefined;
  };
  /** `path` is below /api; each part is a name as it is. */
  get<T>(type: z.ZodType<T>, path: readonly string[], asked: Asked): Promise<T>;
  /** Returns the status and the body, which is empty for most changes. */
  send(path: readonly string[], asked: Asked): Promise<{ readonly status: number; readonly text: string }>;
}
