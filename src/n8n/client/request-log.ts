import { callerNow } from '../../kernel/caller.ts';

/** A request to n8n as the log tells of it: without body, headers, and paths that are secrets. */
export interface Asked {
  readonly instance: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Absent where no answer came. */
  readonly status?: number;
  readonly ms: number;
  /** Of the answer. */
  readonly bytes?: number;
}

export interface RequestLog {
  write(level: 'info' | 'debug', message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Whether details are wanted, too. */
  isDetailed(): boolean;
}

/** One line for each request: what a call needs at `info`, what Sluice does by itself (looking for changes) at `debug`. */
export function logRequest(log: RequestLog, { instance, method, path, status, ms, query, bytes }: Asked): void {
  const call = callerNow();
  const outcome = status === undefined ? 'no answer' : status;
  log.write(
    call ? 'info' : 'debug',
    `n8n ${instance}: ${method} ${harmlessPath(path)} (${outcome}, ${Math.round(ms)} ms)`,
    { ...(call && { trace_id: call.traceId }), ...(log.isDetailed() && { tool: call?.tool, query, bytes }) },
  );
}

/** Whoever knows the address of a webhook may call it. */
function harmlessPath(path: string): string {
  const bare = path.split('?')[0] as string;
  return /^\/(?:$|(?:api\/v1|rest|types|healthz)(?:\/|$))/.test(bare) ? bare : `/${bare.split('/')[1] ?? ''}/…`;
}
