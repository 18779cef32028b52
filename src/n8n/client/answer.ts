import type { Presence } from '../../kernel/presence.ts';
import type { RequestLog } from './request-log.ts';
import type { Written } from './written.ts';

export interface N8nAddress {
  /** What the instance is called in the configuration. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Sluice runs it on this machine, and starts it again where it ends. */
  readonly isKept?: boolean;
  /** Hears of each request whether n8n was reached. */
  readonly heard?: (reached: boolean) => void;
  /** Hears what a call has changed. */
  readonly wrote?: (what: Written) => void;
  readonly log?: RequestLog;
  /** Waited for before anything is sent, where it is known not to be up. */
  readonly presence?: Presence;
}

export interface Ask {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** To ask twice does no more than to ask once. What only reads always may be repeated. */
  readonly repeatable?: true;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown;
}
