import { callerNow } from '../../kernel/caller.ts';

/** A request to n8n for the log: no body, no headers, no secret paths. */
export interface Asked {
  readonly instance: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Absent if there was no answer. */
  readonly status?: number;
  readonly ms: number;
  /** Size of the answer. */
  readonly bytes?: number;
}

export interface RequestLog {
  write(level: 'info' | 'debug', message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Whether to log details. */
  isDetailed(): boolean;
}

/** Logs one line for each request: at `info` if a call needs it, at `debug` if Sluice makes it by itself (polling). */
export function logRequest(log: RequestLog, { instance, method, path, status, ms, query, bytes }: Asked): void {
  const call = callerNow();
  const outcome = status === undefined ? 'no answer' : status;
  log.write(
    call ? 'info' : 'debug',
    `n8n ${instance}: ${method} ${harmlessPath(path)} (${outcome}, ${Math.round(ms)} ms)`,
    { ...(call && { trace_id: call.traceId }), ...(log.isDetailed() && { tool: call?.tool, query, bytes }) },
  );
}

/** Hides the address of a webhook, because anybody who knows it can call it. */
function harmlessPath(path: string): string {
  const bare = path.split('?')[0] as string;
  return /^\/(?:$|(?:api\/v1|rest|types|healthz)(?:\/|$))/.test(bare) ? bare : `/${bare.split('/')[1] ?? ''}/…`;
}
