import type { GatewayEvents } from '../facts.ts';
import type { Json } from '../../kernel/source.ts';
import type { Store } from '../../store/store.ts';
import { definitionHash } from './catalogue.ts';

/** Detects tools whose definition changed since they were first offered or accepted. */
export function createDefinitions(options: {
  server: string;
  /** Whether a changed tool is held back until it is accepted. */
  hold: boolean;
  store: Store['definitions'];
  events: GatewayEvents;
}) {
  const { server, store, events } = options;
  let accepted = new Map<string, string>();
  /** Tools that changed and are not accepted yet -> hash of the new definition. */
  const held = new Map<string, string>();

  async function approve(hashes: ReadonlyMap<string, string>): Promise<void> {
    if (hashes.size === 0) return;
    for (const [tool, hash] of hashes) accepted.set(tool, hash);
    await store.put(server, hashes);
  }

  return {
    held,
    /** Holds back again what was held back before a restart. */
    async restore(tools: readonly Json[]): Promise<void> {
      accepted = await store.get(server);
      if (!options.hold) return;
      for (const tool of tools) {
        const hash = definitionHash(tool);
        if ((accepted.get(tool.name as string) ?? hash) !== hash) held.set(tool.name as string, hash);
      }
    },
    async compare(tools: readonly Json[]): Promise<void> {
      const offered = new Set(tools.map(({ name }) => name));
      for (const name of held.keys()) if (!offered.has(name)) held.delete(name);
      const fresh = new Map<string, string>();
      for (const tool of tools) {
        const name = tool.name as string;
        const hash = definitionHash(tool);
        const known = accepted.get(name);
        if (known === hash) {
          held.delete(name);
          continue;
        }
        const hold = known !== undefined && options.hold;
        if (known !== undefined && held.get(name) !== hash) {
          events.record({ type: 'gateway.tool_changed', backend: server, tool: name, held: hold });
        }
        if (hold) held.set(name, hash);
        else fresh.set(name, hash);
      }
      await approve(fresh);
    },
    /** Accepts the current definition of one tool, or of all. */
    async accept(tool?: string): Promise<string[]> {
      const taken = new Map([...held].filter(([name]) => tool === undefined || name === tool));
      for (const name of taken.keys()) held.delete(name);
      await approve(taken);
      return [...taken.keys()];
    },
    forget: () => store.delete(server),
  };
}
