import type { Presence } from '../../kernel/presence.ts';
import type { RequestLog } from './request-log.ts';
import type { Written } from './written.ts';

export interface N8nAddress {
  /** The name of the instance in the configuration. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Sluice runs this n8n on this machine, and restarts it when it ends. */
  readonly isKept?: boolean;
  /** Called after each request, with whether n8n was reached. */
  readonly heard?: (reached: boolean) => void;
  /** Called with the workflow that a request changed. */
  readonly wrote?: (what: Written) => void;
  readonly log?: RequestLog;
  /** While n8n is known to be down, requests wait for it. */
  readonly presence?: Presence;
}

export interface Ask {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Bytes; a larger answer is an error and is not read to its end. Default: 64 MB. */
  readonly largest?: number;
  /** The request is idempotent and may be retried. A GET always may. */
  readonly repeatable?: true;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON, otherwise the text. */
  readonly body: unknown;
}
