import type { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { type Asked, type Http, HttpError, httpTo } from '../http.ts';
import type { Around } from '../module.ts';
import { refusal } from './explain.ts';
import { findSelf, type Self } from './own-place.ts';
import { type Reach, reachOf } from './reach.ts';
import { type DockerSettings, placeOf } from './settings.ts';
import { version } from './shapes.ts';

export interface Engine {
  readonly name: 'Docker' | 'Podman';
  readonly version: string;
  /** The version of the API that is used. */
  readonly api: string;
}

/** The Engine API of Docker, or of Podman. Paths are below the version. */
export interface Docker extends AsyncDisposable {
  readonly engine: Engine;
  readonly reach: Reach;
  readonly self: Self;
  /** Whether this process sees the files of Docker's host. */
  readonly isLocal: boolean;
  /** How long a call may take. */
  readonly timeoutMs: number;
  ask<T>(type: z.ZodType<T>, path: string, asked: Asked): Promise<T>;
  /** Changes something; false if it was so already. */
  act(path: string, asked: Asked): Promise<boolean>;
  stream(path: string, asked: Asked): Promise<AsyncIterable<Buffer>>;
}

const OLDEST = '1.24';
const MOST_GREETING_BYTES = 1000;
/** The newest version whose answers are known here. */
const NEWEST = '1.47';

export async function connectDocker(settings: DockerSettings, around: Around): Promise<Docker> {
  const place = placeOf(settings);
  const reach = reachOf(settings, around.name);
  const { setting } = reach;
  await using stack = new AsyncDisposableStack();
  const http = stack.use(
    httpTo({
      ...('socketPath' in place ? { base: 'http://docker', socketPath: place.socketPath } : { base: place.base }),
      tls: around.tls,
    }),
  );

  async function explained<T>(path: string, asked: Asked, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      throw refusal(error, { method: asked.method ?? 'GET', path }, setting);
    }
  }

  const { signal } = around;
  const engine = await explained('/_ping', {}, () => greeted(http, signal)).catch((error: unknown) => {
    const { code } = error as { code?: unknown };
    const isPlain = 'base' in place && place.base.startsWith('http:');
    if (!isPlain || typeof code !== 'string' || !/^(?:ECONNRESET|EPIPE|HPE_)/.test(code)) throw error;
    throw new AppError(
      'unavailable',
      `${around.name} at ${new URL(place.base).host} closed the connection before it answered. If it expects TLS, write https:// in ${setting}.url; otherwise try again in a moment.`,
      { cause: error },
    );
  });
  const self = await findSelf(around.own.home);
  const below = (path: string) => `/v${engine.api}${path}`;
  const owned = stack.move();
  return {
    engine,
    reach,
    self,
    isLocal: 'socketPath' in place && self.ids.length === 0,
    timeoutMs: around.timeoutMs,
    ask: (type, path, asked) => explained(path, asked, () => http.json(type, below(path), asked)),
    async act(path, asked) {
      const given: Asked = { method: 'POST', ...asked };
      try {
        await http.text(below(path), given);
        return true;
      } catch (error) {
        if (error instanceof HttpError && error.status === 304) return false;
        return await explained(path, given, () => Promise.reject(error as Error));
      }
    },
    stream: (path, asked) => explained(path, asked, async () => (await http.stream(below(path), asked)).body),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Asks who is there. The greeting says all that is needed, and is cheap: Podman starts programs to answer /version.
 */
async function greeted(http: Http, signal: AbortSignal): Promise<Engine> {
  const { headers, body } = await http.stream('/_ping', { signal });
  // Read to its end, so that the connection can be used again. The answer is two letters: what goes on is no Docker.
  let bytes = 0;
  for await (const piece of body) if ((bytes += piece.length) > MOST_GREETING_BYTES) break;
  const [, program = '', its = ''] = /^(\w+)\/(\S+)/.exec(String(headers.server ?? '')) ?? [];
  const isPodman = /^libpod/i.test(program) || headers['libpod-api-version'] !== undefined;
  const name = isPodman ? 'Podman' : 'Docker';
  const theirs = headers['api-version'];
  if (typeof theirs === 'string' && its !== '' && compared(theirs, NEWEST) <= 0)
    return { name, version: its, api: versionToUse(theirs, '') };
  // A proxy dropped the headers, or this Docker may no longer speak the version that is known here.
  const said = await http.json(version, '/version', { signal });
  const byName = said.Components.some((one) => /podman/i.test(one.Name)) ? 'Podman' : name;
  return { name: byName, version: said.Version, api: versionToUse(said.ApiVersion, said.MinAPIVersion) };
}

/** The newest version that both know. */
export function versionToUse(theirs: string, theirOldest: string): string {
  if (!/^\d+\.\d+$/.test(theirs) || compared(theirs, OLDEST) < 0)
    throw new AppError(
      'unsupported',
      `This Docker speaks version ${theirs || 'unknown'} of its API, and ${OLDEST} or newer is needed. Update it.`,
    );
  if (compared(theirs, NEWEST) <= 0) return theirs;
  // It no longer speaks the version that is known here: its own is the best guess.
  return theirOldest !== '' && compared(theirOldest, NEWEST) > 0 ? theirOldest : NEWEST;
}

function compared(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}
