import type { ModulesApi } from '../modules/open.ts';
import { messageOf } from '../kernel/errors.ts';
import type { StoreApi } from '../store/part.ts';
import type { RedisProgress } from './redis-progress.ts';

export interface ProgressDeps {
  readonly store: Pick<StoreApi, 'redis'>;
  readonly modules: Pick<ModulesApi, 'instances'>;
  ttlMs(): number;
  view(run: string): Promise<object | undefined>;
}

/** The progress of runs in the Redis that is configured, if one is. Its code is loaded with the first run. */
export function createProgress({ store, modules, ttlMs, view }: ProgressDeps) {
  let opened: { readonly to: string; readonly writer: Promise<RedisProgress> } | undefined;
  let writer: RedisProgress | undefined;
  let failure: string | undefined;

  /** The one that all replicas use, else the first of the modules. */
  function target() {
    const url = store.redis();
    if (url !== undefined) return { to: url, url };
    const instance = modules.instances().find(({ type }) => type === 'redis');
    const given = (instance?.settings as { url?: unknown } | undefined)?.url;
    if (!instance || typeof given !== 'string') return undefined;
    return { to: JSON.stringify(instance.settings), url: given, instance };
  }

  async function connect({ url, instance }: NonNullable<ReturnType<typeof target>>): Promise<RedisProgress> {
    const [{ openRedisProgress }, { tlsOf }] = await Promise.all([
      import('./redis-progress.ts'),
      import('../modules/tls.ts'),
    ]);
    const tls = instance && (await tlsOf(instance.settings, instance.name));
    return openRedisProgress({ url, tls, ttlMs, view });
  }

  async function close(): Promise<void> {
    const before = opened;
    opened = undefined;
    writer = undefined;
    await (await before?.writer.catch(() => undefined))?.[Symbol.asyncDispose]();
  }

  /** The writer for the Redis that is configured now. */
  function current(): Promise<RedisProgress> | undefined {
    const wanted = target();
    if (opened?.to === wanted?.to) return opened?.writer;
    void close();
    failure = undefined;
    if (!wanted) return undefined;
    const mine = { to: wanted.to, writer: connect(wanted) };
    opened = mine;
    mine.writer.then(
      (made) => opened === mine && (writer = made),
      (error: unknown) => {
        failure = messageOf(error);
        // The next change tries again.
        if (opened === mine) opened = undefined;
      },
    );
    return mine.writer;
  }

  return {
    changed(run: string): void {
      void current()?.then(
        (made) => made.changed(run),
        () => {},
      );
    },
    trouble: (): string | undefined => failure ?? writer?.trouble(),
    [Symbol.asyncDispose]: close,
  };
}
