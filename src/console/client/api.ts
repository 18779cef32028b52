/** An answer that is not what was asked for, in words for a person. */
export class Failed extends Error {
  readonly code: string;
  readonly status: number;
  /** Repeats the same call with this token, if the call needs confirmation. */
  readonly confirm: string | undefined;
  /** What it is called among all that waits. */
  readonly waits: string | undefined;
  /** Whether another person has to approve the call before the token counts. */
  readonly needsPerson: boolean;

  constructor(
    message: string,
    given: {
      code: string;
      status: number;
      confirm?: string | undefined;
      waits?: string | undefined;
      needsPerson?: boolean;
    },
  ) {
    super(message);
    this.code = given.code;
    this.status = given.status;
    this.confirm = given.confirm;
    this.waits = given.waits;
    this.needsPerson = given.needsPerson ?? false;
  }
}

/** One part of a tool's answer, as MCP has it. */
export interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly resource?: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  };
}

export interface Answered<T> {
  /** Undefined if the tool answers with text only. */
  readonly structured: T | undefined;
  readonly content: readonly Content[];
  /** The tool reported a failure. */
  readonly isError: boolean;
  readonly ms: number;
  readonly bytes: number;
  readonly trace: string | undefined;
}

interface Listening {
  /** Who looks may be nobody any more, or somebody else: in another tab, one may have signed out or in. */
  refused(): void;
  /** Whether the gateway could be reached just now. */
  reached(reached: boolean): void;
}

let listening: Listening = { refused() {}, reached() {} };
let csrf: string | undefined;

export function onApi(next: Listening): void {
  listening = next;
}

/** The token that requests which change something carry. */
export function useCsrf(token: string | undefined): void {
  csrf = token;
}

/** The full address of a path such as `api/v1/status`, also behind a proxy that serves Sluice below a path. */
export const addressOf = (path: string): string => new URL(path, document.baseURI).href;

export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('sluice-via', 'console');
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  const isChange = init.method !== undefined && init.method !== 'GET';
  if (csrf !== undefined && isChange) headers.set('x-sluice-csrf', csrf);
  let response: Response;
  try {
    response = await fetch(addressOf(path), { ...init, headers, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    listening.reached(false);
    throw new Failed('The gateway does not answer. This page keeps trying.', { code: 'unreachable', status: 0 });
  }
  listening.reached(true);
  if (response.status === 401 || (response.status === 403 && isChange)) listening.refused();
  return response;
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => read<T>(ask(path, signal ? { signal } : {}));

export const send = <T>(
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> =>
  read<T>(
    ask(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );

async function read<T>(asked: Promise<Response>): Promise<T> {
  const response = await asked;
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  throw failureIn(response, text);
}

const ANEW = 'Nothing was done: you have signed in anew in another tab. Try again.';

interface ErrorBody {
  error?: { message?: string; data?: { code?: string } };
}

export function failureIn({ status }: Response, text: string): Failed {
  try {
    const { error } = JSON.parse(text) as ErrorBody;
    if (error?.message?.includes('X-Sluice-Csrf')) return new Failed(ANEW, { code: 'forbidden', status });
    if (error?.message !== undefined) return new Failed(error.message, { code: error.data?.code ?? 'failed', status });
  } catch {
    // A proxy answered, not the gateway.
  }
  return new Failed(`The answer was ${status}, without an explanation.`, { code: 'failed', status });
}

interface Invoked {
  result?: {
    content?: Content[];
    structuredContent?: unknown;
    isError?: boolean;
    _meta?: { 'sluice/error'?: { code?: string; confirm?: string; waits?: string; by?: string } };
    _execution_time_ms?: number;
  };
  error?: { message?: string; data?: { code?: string } };
}

/** Calls a tool and returns what it answered, also if it reports a failure. Throws only if the call did not reach it. */
export async function invoke<T>(
  name: string,
  args: object,
  { confirm, signal }: { confirm?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Answered<T> & { readonly failure?: Failed }> {
  const started = performance.now();
  const response = await ask('api/v1/mcp/invoke', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, arguments: args, ...(confirm !== undefined && { confirm }) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  let body: Invoked;
  try {
    body = JSON.parse(text) as Invoked;
  } catch {
    throw failureIn(response, text);
  }
  const { result } = body;
  if (!result) throw failureIn(response, text);
  const content = result.content ?? [];
  const answered = {
    structured: result.structuredContent as T | undefined,
    content,
    isError: result.isError === true,
    ms: result._execution_time_ms ?? performance.now() - started,
    bytes: new Blob([text]).size,
    trace: response.headers.get('traceparent')?.split('-')[1],
  };
  if (!answered.isError) return answered;
  const meta = result._meta?.['sluice/error'];
  const message = content.map((part) => part.text ?? '').join('\n') || 'The tool failed without a message.';
  const failure = new Failed(message, {
    code: meta?.code ?? 'tool_error',
    status: response.status,
    confirm: meta?.confirm,
    waits: meta?.waits,
    needsPerson: meta?.by === 'person',
  });
  return { ...answered, failure };
}

/** Calls one of Sluice's own tools. Throws if it fails. */
export async function call<T>(
  name: string,
  args: object = {},
  given: { confirm?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const answered = await invoke<T>(name, args, given);
  if (answered.failure) throw answered.failure;
  return (answered.structured ?? answered.content.map(({ text }) => text ?? '').join('\n')) as T;
}
