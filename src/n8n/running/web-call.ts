import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import { notRunYet, saysItStarts } from '../client/starting.ts';
import { unreached } from '../client/unreached.ts';
import { pause } from '../pause.ts';
import { bodyOf, type RawAnswer } from './web-answer.ts';

export interface WebCall {
  readonly method: string;
  /** Such as `/webhook/orders`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text is sent as it is, a form as multipart, anything else as JSON. */
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** How long a webhook may take to appear after its workflow was published. */
  readonly patienceMs?: number;
}

const MOST_BYTES = 5 * 1024 * 1024;
const STEP_MS = 100;
const bodiless = new Set(['GET', 'HEAD']);

/** Calls what n8n offers to the world. The API key stays at home. */
export async function callWeb(client: N8nClient, call: WebCall): Promise<RawAnswer> {
  // n8n answers that a workflow is published before its webhooks are.
  for (const end = Date.now() + (call.patienceMs ?? 0); ; await pause(STEP_MS, call.signal)) {
    const answer = await once(client, call);
    if (saysItStarts(answer.bytes)) throw notRunYet(client);
    if (!isUnregistered(answer) || Date.now() >= end) return answer;
  }
}

async function once({ plain: { address }, url: base }: N8nClient, call: WebCall): Promise<RawAnswer> {
  const url = new URL(`${base.replace(/\/+$/, '')}${call.path}`);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.append(name, value);
  const limit = AbortSignal.timeout(call.timeoutMs);
  const raw = typeof call.body === 'string' || call.body instanceof FormData;
  const body = raw ? call.body : JSON.stringify(call.body);
  const hasBody = call.body !== undefined && !bodiless.has(call.method);
  try {
    const response = await fetch(url, {
      method: call.method,
      redirect: 'manual',
      signal: AbortSignal.any([call.signal, limit]),
      headers: { ...(hasBody && !raw && { 'content-type': 'application/json' }), ...call.headers },
      ...(hasBody && { body }),
    });
    return { status: response.status, headers: response.headers, ...(await readSome(response)) };
  } catch (error) {
    throw unreached(address, error, limit, call.signal);
  }
}

async function readSome(response: Response): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES) return { bytes: Buffer.concat(chunks), cut: true };
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}

const UNREGISTERED = /^(The requested webhook ".*" is|This webhook is) not registered/s;

/** n8n itself says 404, not the workflow behind the webhook: that one has run, and must not be run again. */
export function isUnregistered(answer: RawAnswer): boolean {
  if (answer.status !== 404) return false;
  const { code, message } = (bodyOf(answer) ?? {}) as { code?: unknown; message?: unknown };
  return code === 404 && typeof message === 'string' && UNREGISTERED.test(message);
}

/** A path below `/webhook/` as a URL has it, and nothing that leads out of there. */
export function safePath(path: string): string {
  const segments = path.replace(/^\/+/, '').split('/').map(decoded);
  if (segments.some((segment) => segment === '..' || segment === '.')) {
    throw new AppError('invalid_input', 'The path of a webhook has no "." or ".." in it.');
  }
  return segments.map(encodeURIComponent).join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
