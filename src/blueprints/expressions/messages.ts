import type { ErrorCode } from '../../kernel/errors.ts';
import type { Scope } from './evaluate.ts';

export type Work =
  | { readonly do: 'evaluate'; readonly sources: readonly string[]; readonly scope: Scope }
  | { readonly do: 'check'; readonly schemas: Members; readonly given: Members };

/** An object as a list: names come from outside. */
export type Members = readonly (readonly [name: string, value: unknown])[];

/** `at` is where the thread writes which expression or input it is at. */
export interface ThreadRequest {
  readonly work: Work;
  readonly at: Int32Array;
}

export type ThreadReply =
  /** It can be asked. */
  | { readonly state: 'ready' }
  /** It has received the request: from now on the time counts. `cpu` is what the thread has used so far. */
  | { readonly state: 'begun'; readonly cpu: NodeJS.CpuUsage }
  | { readonly state: 'done'; readonly value: unknown }
  | { readonly state: 'failed'; readonly code: ErrorCode; readonly message: string };
