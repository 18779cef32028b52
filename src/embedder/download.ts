import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, messageOf } from '../kernel/errors.ts';
import { backoff } from '../kernel/retry.ts';

export interface Download {
  readonly url: string;
  /** The file to write. Until it is complete and checked it is called `.part`. */
  readonly to: string;
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: { readonly first: number; readonly most: number };
  /** No data for this long: the connection is given up. */
  readonly stallMs?: number;
  progress?(done: number): void;
}

const ATTEMPTS = 5;
const RETRY = { first: 1000, most: 8000 };
const STALL_MS = 30_000;
const MOST_REDIRECTS = 5;

/** Another attempt may help. */
class Interrupted extends Error {}

/** Downloads a file unless it is there already. Continues where an earlier attempt, or an earlier process, stopped. */
export async function download(wanted: Download): Promise<void> {
  const { to, url, sha256, signal, retry = RETRY, progress } = wanted;
  if ((await sizeOf(to)) !== undefined && (sha256 === undefined || (await hashOf(to)) === sha256)) {
    progress?.((await sizeOf(to)) ?? 0);
    return;
  }
  const part = `${to}.part`;
  await mkdir(dirname(to), { recursive: true });
  let expected: string | undefined;
  for (let attempt = 1; expected === undefined; attempt++) {
    try {
      expected = await fetchInto(part, wanted);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Interrupted)) throw error;
      if (attempt === ATTEMPTS)
        throw new AppError('unavailable', `${url} cannot be downloaded: ${error.message}.`, { cause: error });
      await delay(backoff(attempt, retry), undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    }
  }
  if (expected !== '' && (await hashOf(part)) !== expected) {
    await rm(part, { force: true });
    throw new AppError(
      'unavailable',
      `${url} is not the file that was expected: its SHA-256 differs. Try again, or use another mirror.`,
    );
  }
  await rename(part, to);
}

/** Appends what is missing. Returns the hash that the file must have; empty if nobody knows it. */
async function fetchInto(part: string, wanted: Download): Promise<string> {
  const { url, bytes, sha256, progress, stallMs = STALL_MS } = wanted;
  const have = (await sizeOf(part)) ?? 0;
  if (sha256 !== undefined && bytes !== undefined && have === bytes) return sha256;
  using stall = stalling(stallMs, wanted.signal);
  const { response, linked } = await ask(url, have, stall);
  if (sha256 !== undefined && linked.sha256 !== undefined && linked.sha256 !== sha256) {
    await response.body?.cancel();
    throw new AppError('unavailable', `${url} is another file than expected. Use another mirror.`);
  }
  if (response.status === 416) {
    await response.body?.cancel();
    await rm(part, { force: true });
    throw new Interrupted('the part that is here does not fit');
  }
  if (!response.ok || !response.body) throw await refusal(url, response);
  const continues = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`);
  if (response.status === 206 && !continues) throw new Interrupted('the answer is another part than was asked for');
  let done = continues ? have : 0;
  const length = response.headers.get('content-length');
  const total = bytes ?? linked.bytes ?? (length === null ? undefined : done + Number(length));
  const file = await open(part, continues ? 'a' : 'w', 0o644);
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      stall.heard();
      await file.appendFile(chunk);
      done += chunk.length;
      progress?.(done);
    }
  } catch (error) {
    throw new Interrupted(stall.signal.aborted ? stall.why() : reasonOf(error));
  } finally {
    await file.close();
  }
  if (total !== undefined && done > total) {
    await rm(part, { force: true });
    throw new AppError('unavailable', `${url} is larger than expected. Use another mirror.`);
  }
  if (total !== undefined && done < total) throw new Interrupted('the connection broke');
  return sha256 ?? linked.sha256 ?? '';
}

/** What the hub says about a file before it redirects to its storage. */
interface Linked {
  sha256?: string;
  bytes?: number;
}

async function ask(url: string, from: number, stall: Stall): Promise<{ response: Response; linked: Linked }> {
  const linked: Linked = {};
  let address = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const response = await fetch(address, {
      redirect: 'manual',
      signal: stall.signal,
      headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
    }).catch((error: unknown) => {
      throw new Interrupted(stall.signal.aborted ? stall.why() : reasonOf(error));
    });
    stall.heard();
    const etag = /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(response.headers.get('x-linked-etag') ?? '')?.[1];
    if (etag !== undefined) linked.sha256 ??= etag;
    const size = response.headers.get('x-linked-size');
    if (size !== null && /^\d+$/.test(size)) linked.bytes ??= Number(size);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return { response, linked };
    await response.body?.cancel();
    address = new URL(location, address).href;
  }
  throw new AppError('unavailable', `${url} redirects too often.`);
}

async function refusal(url: string, response: Response): Promise<Error> {
  await response.body?.cancel();
  const { status } = response;
  if (status === 408 || status === 429 || status >= 500) return new Interrupted(`HTTP ${status}`);
  const what = status === 404 ? 'was not found' : 'cannot be downloaded';
  return new AppError('unavailable', `${url} ${what} (HTTP ${status}).`);
}

interface Stall extends Disposable {
  readonly signal: AbortSignal;
  heard(): void;
  why(): string;
}

function stalling(ms: number, outer: AbortSignal | undefined): Stall {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), ms);
  return {
    signal: outer ? AbortSignal.any([outer, stop.signal]) : stop.signal,
    heard: () => void timer.refresh(),
    why: () => `nothing came for ${ms / 1000} s`,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** fetch hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return code ?? (cause instanceof Error ? cause.message : messageOf(error));
}

const sizeOf = async (file: string): Promise<number | undefined> => (await stat(file).catch(() => undefined))?.size;

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
