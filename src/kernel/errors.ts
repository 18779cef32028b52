/** All error codes, with the HTTP status, the JSON-RPC code and whether a retry can help. */
export const errorCodes = {
  invalid_input: { http: 400, rpc: -32602, retryable: false },
  unauthenticated: { http: 401, rpc: -32600, retryable: false },
  forbidden: { http: 403, rpc: -32600, retryable: false },
  not_found: { http: 404, rpc: -32602, retryable: false },
  conflict: { http: 409, rpc: -32602, retryable: false },
  wrong_method: { http: 405, rpc: -32600, retryable: false },
  too_large: { http: 413, rpc: -32600, retryable: false },
  wrong_media_type: { http: 415, rpc: -32600, retryable: false },
  confirmation_required: { http: 409, rpc: -32602, retryable: true },
  rate_limited: { http: 429, rpc: -32000, retryable: true },
  cancelled: { http: 499, rpc: -32000, retryable: false },
  unsupported: { http: 501, rpc: -32601, retryable: false },
  unavailable: { http: 503, rpc: -32000, retryable: true },
  timeout: { http: 504, rpc: -32000, retryable: true },
  internal: { http: 500, rpc: -32603, retryable: false },
} as const satisfies Record<string, { http: number; rpc: number; retryable: boolean }>;

export type ErrorCode = keyof typeof errorCodes;

/** An error written for the reader who can act on it. Its message may be shown to a model or a user: no secrets. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly data: Record<string, unknown> | undefined;
  /** Whether the message already says when to retry, so that nothing needs to be added. */
  readonly saysWhen: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; data?: Record<string, unknown>; saysWhen?: true } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
    this.saysWhen = options.saysWhen ?? false;
  }

  get retryable(): boolean {
    return errorCodes[this.code].retryable;
  }

  get http(): number {
    return errorCodes[this.code].http;
  }

  get rpc(): number {
    return errorCodes[this.code].rpc;
  }
}

/** A bug of ours. Its message may quote anything, so it goes to the log only. */
class UnforeseenError extends AppError {
  constructor(thrown: unknown) {
    super('internal', `Unexpected failure: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** Returns an AppError unchanged. Everything else becomes `internal` and keeps its cause for the log. */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new UnforeseenError(thrown);
}

/** The unexpected error inside, even if AppErrors were wrapped around it; undefined for any other error. */
export function unforeseenIn(error: AppError): { thrown: unknown } | undefined {
  let inner: unknown = error;
  while (inner instanceof AppError && inner.code === 'internal') {
    if (inner instanceof UnforeseenError) return { thrown: inner.cause };
    inner = inner.cause;
  }
  return undefined;
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
