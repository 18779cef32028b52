import type { GatewayEvents } from '../facts.ts';
import type { Shared } from '../../kernel/shared.ts';
import type { Json } from '../../kernel/source.ts';
import type { Store } from '../../store/store.ts';
import { definitionHash } from './catalogue.ts';
import { createHeldDefinitions, type HeldSince } from './held-definitions.ts';

/** Of several replicas that notice the same change in this time, one records it. */
const ONCE = { count: 1, perMs: 3_600_000 };

/** Detects tools whose definition changed since they were first offered or accepted. */
export function createDefinitions(options: {
  server: string;
  /** Whether a changed tool is held back until it is accepted. */
  hold(): boolean;
  store: Store['definitions'];
  tables: Store['tables'];
  /** The definitions that are stored, which are those before the change. */
  stored(): Promise<readonly Json[]>;
  shared: Pick<Shared, 'peers' | 'count'>;
  events: GatewayEvents;
}) {
  const { server, store, shared, events } = options;
  const earlier = createHeldDefinitions(server, options.tables);
  let accepted = new Map<string, string>();
  /** Tools that changed and are not accepted yet -> hash of the new definition. */
  const held = new Map<string, string>();
  /** What this process was offered last. The server of another replica may offer something else. */
  let seen = new Map<string, string>();

  async function approve(hashes: ReadonlyMap<string, string>): Promise<void> {
    if (hashes.size === 0) return;
    for (const [tool, hash] of hashes) accepted.set(tool, hash);
    await store.put(server, hashes);
  }

  const hashesOf = (tools: readonly Json[]) =>
    new Map(tools.map((tool) => [tool.name as string, definitionHash(tool)] as const));

  const isChanged = (name: string, hash: string) => (accepted.get(name) ?? hash) !== hash;

  /** Holds back what differs from what was accepted, and nothing else. */
  function holdAgain(offered: ReadonlyMap<string, string>): void {
    held.clear();
    for (const [name, hash] of offered) if (isChanged(name, hash)) held.set(name, hash);
  }

  /** A person cannot compare without it, but tools are held back all the same. */
  async function keepEarlier(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    try {
      await earlier.keep(names, await options.stored(), (tool) => accepted.get(tool));
    } catch {}
  }

  /** Accepts the current definition of one tool, or of all. */
  async function accept(tool?: string): Promise<string[]> {
    const taken = new Map([...held].filter(([name]) => tool === undefined || name === tool));
    for (const name of taken.keys()) held.delete(name);
    await approve(taken);
    for (const name of taken.keys()) await earlier.drop(name).catch(() => {});
    return [...taken.keys()];
  }

  async function isFirst(tool: string, hash: string): Promise<boolean> {
    if (!shared.peers) return true;
    return (await shared.count(`tool_changed ${server} ${tool} ${hash}`, ONCE)) === undefined;
  }

  return {
    held,
    /** Holds back again what was held back before, or accepts it if nothing is held back any more. */
    async restore(tools: readonly Json[]): Promise<void> {
      accepted = await store.get(server);
      if (options.hold()) holdAgain(hashesOf(tools));
      else await accept();
    },
    async compare(tools: readonly Json[]): Promise<void> {
      const offered = hashesOf(tools);
      const before = seen;
      const heldBefore = new Map(held);
      seen = offered;
      // Another replica may have noticed the change before us, or somebody accepted it there.
      if (shared.peers && [...offered].some(([name, hash]) => accepted.get(name) !== hash))
        accepted = await store.get(server);
      for (const name of held.keys()) if (!offered.has(name)) held.delete(name);
      const fresh = new Map<string, string>();
      const newlyHeld: string[] = [];
      for (const [name, hash] of offered) {
        const known = accepted.get(name);
        if (known === hash) {
          held.delete(name);
          continue;
        }
        const hold = known !== undefined && options.hold();
        // It changed for another replica, not for us.
        if (known !== undefined && !hold && before.get(name) === hash) continue;
        if (known !== undefined && heldBefore.get(name) !== hash && (await isFirst(name, hash))) {
          events.record({ type: 'gateway.tool_changed', backend: server, tool: name, held: hold });
        }
        if (hold) held.set(name, hash);
        else fresh.set(name, hash);
        if (hold && heldBefore.get(name) !== hash) newlyHeld.push(name);
      }
      await approve(fresh);
      await keepEarlier(newlyHeld);
    },
    /** Another replica may have accepted something. Returns whether other tools are held back now. */
    async reread(tools: readonly Json[]): Promise<boolean> {
      if (!options.hold()) return false;
      const before = [...held.keys()].sort().join('\n');
      accepted = await store.get(server);
      // Lists that were just read count, though the catalogue does not have them yet.
      holdAgain(seen.size > 0 ? seen : hashesOf(tools));
      return [...held.keys()].sort().join('\n') !== before;
    },
    accept,
    /** The held tools as they were accepted, as far as that is known. */
    async earlier(): Promise<Map<string, HeldSince>> {
      if (held.size === 0) return new Map();
      return earlier.all((tool) => accepted.get(tool)).catch(() => new Map());
    },
    async forget(): Promise<void> {
      await store.delete(server);
      await earlier.drop().catch(() => {});
    },
  };
}
