import type { Callable } from '../kernel/callable.ts';
import { messageOf } from '../kernel/errors.ts';
import type { GatewayEvents } from './facts.ts';
import type { Entry, ToolSource } from '../kernel/source.ts';
import type { WireTool } from '../kernel/source.ts';
import { fold, shown } from '../kernel/nearest-names.ts';
import { isObject } from '../wire/jsonrpc.ts';
import { distinctName, exposedNames, hashedName, otherNames, rivalsOf } from './names.ts';

/** A tool under the name clients know it by. */
export interface Registered extends Callable {
  readonly wire: WireTool;
  readonly origin: ToolSource;
}

/** Whether lists show the tool. An unlisted tool can still be called. */
export const isListed = ({ entry }: Registered): boolean => entry.unlisted !== true;

export interface Registry {
  /** Sets the sources, in the order in which they are listed. A source that was set before keeps its place. */
  set(sources: readonly ToolSource[]): void;
  sources(): readonly ToolSource[];
  all(): readonly Registered[];
  /** By exposed name, or by an alias: `<source>:<tool>`, `<prefix>:<tool>`, or a former name. */
  find(name: string): Registered | undefined;
  onChange(listener: () => void): () => void;
}

/** The same problem is reported again only after this many others. */
const REMEMBERED = 1000;

/** Names -> tools. Every name is unique even to clients that fold case, `_` and `-`. */
export function createRegistry(events: GatewayEvents): Registry {
  let sources: readonly ToolSource[] = [];
  let unsubscribe: (() => void)[] = [];
  let built: { list: Registered[]; byName: Map<string, Registered>; byAlias: Map<string, Registered> } | undefined;
  const listeners = new Set<() => void>();
  const reported = new Set<string>();

  function changed(): void {
    built = undefined;
    for (const listener of listeners) listener();
  }

  function build() {
    const list: Registered[] = [];
    const byName = new Map<string, Registered>();
    const byAlias = new Map<string, Registered>();
    const taken = new Map<string, string>();

    function add(origin: ToolSource, entry: Entry, wanted: string, rival: (name: string) => string | undefined): void {
      // A source without a prefix is transparent: it keeps its names, legal or not.
      let name = origin.prefix === '' ? entry.tool : wanted;
      const holder = taken.get(fold(name)) ?? rival(name);
      if (holder !== undefined) {
        const clash = name;
        name = distinctName(origin.prefix, entry.tool, origin.id);
        const second = taken.get(fold(name));
        if (second !== undefined) throw new Error(`its name and ${name} are taken by ${second}`);
        report(clash, holder, origin.id, name);
      }
      const wire = name === entry.wire.name ? entry.wire : { ...entry.wire, name };
      const registered = { name, source: origin.id, entry, origin, wire };
      list.push(registered);
      byName.set(name, registered);
      const [byId, ...others] = otherNames(registered) as [string, ...string[]];
      byAlias.set(byId, registered);
      for (const other of others) if (!byAlias.has(other)) byAlias.set(other, registered);
      // The name from before umlauts and dots were spelt out: it may be in somebody's configuration.
      const before = hashedName(origin.prefix, entry.tool);
      if (before !== undefined && !byAlias.has(before)) byAlias.set(before, registered);
      for (const own of [name, ...(entry.aliases?.keys() ?? [])]) taken.set(fold(own), origin.id);
    }

    for (const origin of sources) {
      const rival = rivalsOf(origin, sources);
      const entries = entriesOf(origin);
      const names = exposedNames(
        origin.prefix,
        entries.map(({ tool }) => tool),
      );
      for (const entry of entries) {
        try {
          add(origin, entry, names.get(entry.tool) as string, rival);
        } catch (error) {
          leaveOut(origin, entry.tool, messageOf(error));
        }
      }
    }
    return { list, byName, byAlias };
  }

  /** The entries of a source, ordered by name. A source that fails, or one bad entry, affects only itself. */
  function entriesOf(origin: ToolSource): Entry[] {
    try {
      const sound = [...origin.entries()].filter((entry) => {
        if (isSound(entry)) return true;
        leaveOut(origin, undefined, 'one of its tools has no name or no schema');
        return false;
      });
      return sound.sort((a, b) => (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0));
    } catch (error) {
      leaveOut(origin, undefined, messageOf(error));
      return [];
    }
  }

  function isNew(key: string): boolean {
    if (reported.has(key)) return false;
    if (reported.size >= REMEMBERED) reported.clear();
    reported.add(key);
    return true;
  }

  function leaveOut(origin: ToolSource, tool: string | undefined, reason: string): void {
    origin.leftOut?.(tool === undefined ? reason : `${shown(tool)}: ${reason}`);
    if (!isNew(`${origin.id} left out ${tool ?? ''} ${reason}`)) return;
    events.record({
      type: 'gateway.tools_left_out',
      source: origin.id,
      ...(tool !== undefined && { tool: shown(tool) }),
      reason,
    });
  }

  function report(name: string, holder: string, second: string, given: string): void {
    if (!isNew(`${second} ${name}`)) return;
    const remedy = `The one of ${second} is listed as ${given}. Rename one of the two: set mcpServers.${second}.tools.rename, or another prefix.`;
    events.record({ type: 'gateway.name_collision', name: shown(name), owners: [holder, second], remedy });
  }

  const current = () => (built ??= build());

  return {
    set(next) {
      for (const stop of unsubscribe) stop();
      sources = next;
      unsubscribe = sources.map((source) => source.onChange(changed));
      changed();
    },
    sources: () => sources,
    all: () => current().list,
    find: (name) => current().byName.get(name) ?? current().byAlias.get(name),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const isSound = (entry: Entry): boolean =>
  isObject(entry) && typeof entry.tool === 'string' && isObject(entry.wire) && isObject(entry.wire.inputSchema);
