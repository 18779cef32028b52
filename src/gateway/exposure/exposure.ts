import { denial } from '../../kernel/call.ts';
import { type Callable, isNamedBy } from '../../kernel/callable.ts';
import { AppError } from '../../kernel/errors.ts';
import { globMatcher } from '../../kernel/glob.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Exposure, Json, ToolSource, WireTool } from '../../kernel/source.ts';
import type { View } from '../../wire/service.ts';
import { addCompact } from './exposure-compact.ts';
import { addSearch } from './exposure-search.ts';
import { inPlural, wrapperName } from '../names.ts';
import { isListed, type Registered, type Registry } from '../registry.ts';
import type { Toolset } from '../settings.ts';
import type { ToolMeanings } from './tool-meanings.ts';
import type { Wrapper } from './wrapper.ts';

/** What one client sees: the tools in its list, and what each name does. */
export interface Projection {
  readonly tools: readonly WireTool[];
  /** The sources of the tools, and the exposure of each. */
  readonly sources: readonly { readonly source: ToolSource; readonly exposure: Exposure }[];
  /** The tool of this name, also if only a wrapper reaches it. */
  find(name: string): Registered | undefined;
  /** The wrappers of a source answer in every exposure, listed or not. */
  wrapper(name: string): Wrapper | undefined;
  names(): Iterable<string>;
  /** Whether a tool is in the view, even if it is withheld. */
  includes(tool: Registered): boolean;
  /** Why the tool of this name is in the view but may not be used. */
  withheld(name: string): AppError | undefined;
  /** Set if some calls are not allowed: says why not, whatever name or route led to the tool. */
  readonly refusal?: (tool: Registered, given: Json) => AppError | undefined;
}

/** What the owner chose for all clients. */
export interface Chosen {
  /** The exposure of sources that do not set their own. */
  readonly expose?: Exposure | undefined;
  /** Hides and refuses every tool that changes something. */
  readonly readOnly?: boolean | undefined;
}

/** Projects the registry onto a view for one principal: flat, compact, or by search. */
export function project(
  registry: Registry,
  view: View,
  toolset: Toolset | undefined,
  principal: Principal,
  chosen: Chosen = {},
  meanings?: ToolMeanings,
): Projection {
  const inSet = toolset && toolset.include.length > 0 ? globMatcher(toolset.include) : () => true;
  const outOfSet = globMatcher(toolset?.exclude ?? []);
  const allowed = registry
    .all()
    .filter((tool) => isNamedBy(inSet, tool) && !isNamedBy(outOfSet, tool) && !denial(principal, tool, 'see'));
  const inView = new Set(allowed);
  const refusal = chosen.readOnly ? readOnly('gateway') : toolset?.readOnly ? readOnly('toolset') : undefined;
  const visible = refusal ? allowed.filter((tool) => !refusal(tool, {})) : allowed;
  const byName = new Map(visible.map((tool) => [tool.name, tool]));
  const withheld = (name: string) => {
    const tool = registry.find(name);
    return tool && inView.has(tool) ? refusal?.(tool, {}) : undefined;
  };
  let tools: WireTool[] = [];
  const wrappers = new Map<string, Wrapper>();
  const unlisted = new Map<string, Wrapper>();
  const inPlurals = new Map<string, Wrapper>();
  const unmade: (() => void)[] = [];
  const wrapping = new Set<WireTool>();
  const searched: Registered[] = [];
  const sources: Projection['sources'][number][] = [];
  const add = (wire: WireTool, wrapper: Wrapper) => {
    tools.push(wire);
    wrapping.add(wire);
    wrappers.set(wire.name, wrapper);
  };

  const find = (name: string) => {
    const tool = byName.get(name) ?? registry.find(name);
    return tool && byName.get(tool.name) === tool ? tool : undefined;
  };
  const elsewhere = (name: string) => {
    const tool = find(name);
    return tool && leadTo(tool, sources.find(({ source }) => source === tool.origin)?.exposure);
  };

  for (const source of registry.sources()) {
    const own = visible.filter((tool) => tool.origin === source);
    if (own.length === 0) continue;
    const exposure = view.expose ?? toolset?.expose ?? source.expose ?? chosen.expose ?? source.exposure;
    sources.push({ source, exposure });
    if (exposure === 'flat') tools.push(...own.filter(isListed).map(inFull));
    else if (exposure === 'search') searched.push(...own);
    const wrap = (listing: typeof add) =>
      addCompact(
        source,
        own,
        (name) => withheld(name) ?? elsewhere(name),
        (wire, wrapper) => {
          listing(wire, wrapper);
          for (const plural of inPlural(source, wire.name)) inPlurals.set(plural, wrapper);
        },
        { ...(meanings && { meanings }), isReadOnly: refusal !== undefined },
      );
    if (exposure === 'compact') wrap(add);
    else unmade.push(() => wrap((wire, wrapper) => unlisted.set(wire.name, wrapper)));
  }
  if (searched.length > 0) addSearch(searched, withheld, add, meanings);
  // A transparent server may have a tool with the name of a wrapper: its alias still reaches it.
  tools = tools.filter((tool) => wrapping.has(tool) || !wrappers.has(tool.name));

  /** The wrapper of a source that is not compact. A tool of this name comes first, and few clients call one: make it late. */
  const unlistedWrapper = (name: string) => {
    if (find(name)) return undefined;
    for (const make of unmade.splice(0)) make();
    return unlisted.get(name) ?? inPlurals.get(name);
  };

  return {
    tools,
    sources,
    find,
    wrapper: (name) => wrappers.get(name) ?? unlistedWrapper(name),
    names: () => new Set([...tools.map(({ name }) => name), ...visible.filter(isListed).map(({ name }) => name)]),
    includes: (tool) => inView.has(tool),
    withheld,
    ...((refusal ?? toolset) && {
      refusal: (tool: Registered, given: Json) =>
        refusal?.(tool, given) ?? (toolset && !inView.has(tool) ? outside() : undefined),
    }),
  };
}

/** Flat clients see only the list, so its descriptions include when and how to use a tool. */
export function inFull({ wire, entry: { guidance } }: Registered): WireTool {
  return guidance === undefined ? wire : { ...wire, description: `${wire.description ?? ''} ${guidance}` };
}

/** The error for a tool that was looked for in the wrong wrapper: it says how to call it. */
function leadTo({ name, entry, origin }: Registered, exposure: Exposure | undefined): AppError {
  if (exposure === 'flat') return new AppError('not_found', `Call ${name} directly, not through a wrapper.`);
  const wrapper = exposure === 'search' ? 'call_tool' : wrapperName(origin.id, 'call');
  return new AppError('not_found', `Call ${exposure === 'search' ? name : entry.tool} through ${wrapper}.`);
}

/** Does not name the tool that the route leads to: a client must not learn what its toolset leaves out. */
function outside(): AppError {
  return new AppError(
    'forbidden',
    'A route sends this call to a tool that is not in this toolset. Nothing was done. Use other arguments, or ask the owner to include the tool.',
  );
}

/** Refuses every call that changes something. */
const readOnly =
  (place: 'gateway' | 'toolset') =>
  ({ name, entry }: Callable, given: Json): AppError | undefined =>
    (entry.judge?.(given) ?? entry).effect === 'read'
      ? undefined
      : new AppError('forbidden', `${name} changes things, and this ${place} is read-only.`);
