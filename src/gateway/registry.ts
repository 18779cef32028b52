import type { Callable } from '../kernel/callable.ts';
import type { EventLog } from '../kernel/events.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { WireTool } from '../kernel/source.ts';
import { distinctName, exposedName, fold } from './names.ts';

/** A tool under the name clients know it by. */
export interface Registered extends Callable {
  readonly wire: WireTool;
  readonly origin: ToolSource;
}

export interface Registry {
  /** In the order in which sources are listed; a source that is there already keeps its place. */
  set(sources: readonly ToolSource[]): void;
  sources(): readonly ToolSource[];
  all(): readonly Registered[];
  /** By exposed name, or by the alias `<source>:<tool>`. */
  find(name: string): Registered | undefined;
  onChange(listener: () => void): () => void;
}

/** Names -> tools. Every name is unique even to clients that fold case, `_` and `-`. */
export function createRegistry(events: EventLog): Registry {
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
    const taken = new Map<string, Registered>();
    for (const origin of sources) {
      const sorted = [...origin.entries()].sort((a, b) => (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0));
      for (const entry of sorted) {
        // A source without a prefix keeps its names as they are, legal or not: it is asked to be transparent.
        let name = origin.prefix === '' ? entry.tool : exposedName(origin.prefix, entry.tool);
        const holder = taken.get(fold(name));
        if (holder) {
          const clash = name;
          name = distinctName(origin.prefix, entry.tool, origin.id);
          report(clash, holder, origin.id, name);
        }
        const registered = {
          name,
          source: origin.id,
          entry,
          origin,
          wire: name === entry.wire.name ? entry.wire : { ...entry.wire, name },
        };
        list.push(registered);
        byName.set(name, registered);
        byAlias.set(`${origin.id}:${entry.tool}`, registered);
        taken.set(fold(name), registered);
      }
    }
    return { list, byName, byAlias };
  }

  function report(name: string, holder: Registered, second: string, given: string): void {
    if (reported.has(`${second} ${name}`)) return;
    reported.add(`${second} ${name}`);
    const remedy = `The one of ${second} is listed as ${given}. Give one of the two a name of its own: mcpServers.${second}.tools.rename, or another prefix.`;
    events.record({ type: 'gateway.name_collision', name, owners: [holder.source, second], remedy });
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
