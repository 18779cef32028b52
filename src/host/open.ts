import type { CallObserver } from '../kernel/call.ts';
import type { Fact } from '../kernel/facts.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Claim } from './config/claims.ts';
import type { Health } from '../kernel/health.ts';
import type { AnyPart, Everyone, Host, OpenPart, Parts, Uses } from './part.ts';

export interface NamedPart {
  readonly name: string;
  readonly part: OpenPart<unknown>;
}

export interface Opened {
  /** By name. */
  readonly apis: Readonly<Record<string, unknown>>;
  readonly open: readonly NamedPart[];
  readonly all: Everyone;
  begin(): Promise<void>;
  settled(): Promise<void>;
  /** Every part takes the new settings over, whatever becomes of the others. */
  reload(): Promise<{ told: Readonly<Record<string, unknown>>; failed: readonly string[] }>;
}

type AnyHost = Host<unknown, Fact>;

/**
 * Opens the parts in their order, each with the Apis of those it uses. What was opened closes with `stack`, the last one
 * first, also where a later one fails to open. `open` grows with each; `claims` and `health` are those of the host.
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
    sources: () => each((part) => part.sources),
    // Every call asks.
    observers() {
      if (observed?.of !== open.length) observed = { of: open.length, observers: each((part) => part.observers) };
      return observed.observers;
    },
    claims,
    health: () => [...health(), ...each((part) => part.health?.())],
    absent: () => each((part) => part.absent?.()),
    gauges: async () => (await Promise.all(open.map(async ({ part }) => part.gauges?.() ?? []))).flat(),
  };

  for (const [name, entry] of Object.entries(parts)) {
    const { uses = {}, open: opens } = entry;
    if (!opens) continue;
    const given = Object.fromEntries(Object.entries(uses as Uses).map(([key, used]) => [key, apis.get(used)]));
    // Not a copy: some of it are getters, of what changes.
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
