import type { CallObserver } from '../kernel/call.ts';
import type { Fact } from '../kernel/facts.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Claim } from './config/claims.ts';
import type { Health } from '../kernel/health.ts';
import { pagesOf } from './page-file.ts';
import type { AnyPart, Everyone, Host, OpenPart, Parts, Uses } from './part.ts';

export interface NamedPart {
  readonly name: string;
  readonly part: OpenPart<unknown>;
}

export interface Opened {
  /** The Apis of the parts, by name. */
  readonly apis: Readonly<Record<string, unknown>>;
  readonly open: readonly NamedPart[];
  readonly all: Everyone;
  begin(): Promise<void>;
  settled(): Promise<void>;
  /** Applies new settings to every part, even if some fail. */
  reload(): Promise<{ told: Readonly<Record<string, unknown>>; failed: readonly string[] }>;
}

type AnyHost = Host<unknown, Fact>;

/**
 * Opens the parts in order, each with the Apis of the parts it uses. `stack` closes them in reverse order, also if a
 * later one fails to open. `open` grows with each part; `claims` and `health` are the host's.
 */
export async function openParts(
  parts: Parts,
  stack: AsyncDisposableStack,
  shared: Omit<AnyHost, 'all'>,
  { open, claims, health }: { open: NamedPart[]; claims(): readonly Claim[]; health(): readonly Health[] },
): Promise<Opened> {
  const apis = new Map<AnyPart, unknown>();
  const byName: Record<string, unknown> = {};
  const each = <T>(read: (part: OpenPart<unknown>) => readonly T[] | undefined): T[] =>
    open.flatMap(({ part }) => read(part) ?? []);
  let observed: { of: number; observers: readonly CallObserver[] } | undefined;
  const all: Everyone = {
    pages: () => pagesOf(parts),
    sources: () => each((part) => part.sources),
    // Cached, because every call reads it.
    observers() {
      if (observed?.of !== open.length) observed = { of: open.length, observers: each((part) => part.observers) };
      return observed.observers;
    },
    claims,
    health: () => [...health(), ...each((part) => part.health?.())],
    absent: () => each((part) => part.absent?.()),
    waiting: () =>
      new Map(
        open.flatMap(({ name, part: { waiting } }) => {
          if (waiting === undefined) return [];
          return 'list' in waiting ? [[name, waiting] as const] : [...waiting];
        }),
      ),
    gauges: async () => (await Promise.all(open.map(async ({ part }) => part.gauges?.() ?? []))).flat(),
  };

  for (const [name, entry] of Object.entries(parts)) {
    const { uses = {}, open: opens } = entry;
    if (!opens) continue;
    const given = Object.fromEntries(Object.entries(uses as Uses).map(([key, used]) => [key, apis.get(used)]));
    // Inherit instead of copying: some properties are getters of values that change.
    const host = Object.create(shared, { all: { value: all } }) as never;
    const part = (await opens(host, given)) as OpenPart<unknown>;
    stack.defer(() => part[Symbol.asyncDispose]?.());
    apis.set(entry, part.api);
    byName[name] = part.api;
    open.push({ name, part });
  }

  return {
    apis: byName,
    open,
    all,
    async begin() {
      for (const { part } of open) await part.begin?.();
    },
    async settled() {
      await Promise.all(open.map(async ({ part }) => part.settled?.()));
    },
    async reload() {
      const told: Record<string, unknown> = {};
      const failed: string[] = [];
      for (const { name, part } of open) {
        try {
          Object.assign(told, await part.reload?.());
        } catch (error) {
          failed.push(`${name}: ${messageOf(error)}`);
        }
      }
      return { told, failed };
    },
  };
}
