import { hasScope, permissionsOf, type Principal } from '../kernel/principal.ts';
import type { Era, Json } from '../kernel/source.ts';
import type { View } from '../wire/service.ts';
import type { Backend } from './backends/backend.ts';
import { mergeCapabilities } from './capabilities.ts';
import { type Chosen, type Projection, project } from './exposure/exposure.ts';
import { keep } from './kept.ts';
import { didYouMean, nearestNames } from '../kernel/nearest-names.ts';
import { aliasHeads } from './names.ts';
import type { Offers } from './own-offers.ts';
import { isListed, type Registered, type Registry } from './registry.ts';
import type { Toolset } from './settings.ts';
import type { ToolMeanings } from './exposure/tool-meanings.ts';
import { type ToolSearch, toolSearch } from './exposure/tool-search.ts';
import { own } from '../kernel/own.ts';

/** A principal and the view it uses. */
export interface Viewer {
  readonly view: View;
  readonly principal: Principal;
}

/** Stands for a toolset that was removed from the file: a session that still uses it sees nothing. */
const nothing: Toolset = { include: [''], exclude: [], readOnly: false };

/** What a client may see: its tools in the exposure it chose, and whose resources and prompts it may use. */
export function createVisibility(deps: {
  registry: Registry;
  backends(): readonly Backend[];
  toolsets(): Record<string, Toolset>;
  chosen(): Chosen;
  meanings?: ToolMeanings | undefined;
}) {
  const { registry } = deps;
  const projections = new Map<string, Projection>();
  /** The default view of each principal. Nearly every call uses it, so it skips building the cache key. */
  let plain = new WeakMap<Principal, Projection>();
  const searches = new WeakMap<Projection, ToolSearch>();
  registry.onChange(() => {
    projections.clear();
    plain = new WeakMap();
  });

  /** A cache key: equal for viewers that see the same. */
  function keyOf({ view, principal }: Viewer): string {
    return `${view.toolset ?? ''}|${view.expose ?? ''}|${permissionsOf(principal)}`;
  }

  function projection(viewer: Viewer): Projection {
    const { view, principal } = viewer;
    if (view.toolset !== undefined || view.expose !== undefined) return shared(viewer);
    let known = plain.get(principal);
    if (!known) plain.set(principal, (known = shared(viewer)));
    return known;
  }

  function shared({ view, principal }: Viewer): Projection {
    const key = keyOf({ view, principal });
    const known = projections.get(key);
    if (known) return known;
    const toolset = view.toolset === undefined ? undefined : (own(deps.toolsets(), view.toolset) ?? nothing);
    const made = project(registry, view, toolset, principal, deps.chosen(), deps.meanings);
    keep(projections, key, made);
    return made;
  }

  /** Every tool that a view lists, under its own name. */
  function tools(viewer: Viewer): Registered[] {
    const { find } = projection(viewer);
    return registry.all().filter((tool) => isListed(tool) && find(tool.name) === tool);
  }

  /** Ranks the tools that a view lists by what somebody wants to do. */
  function search(viewer: Viewer): ToolSearch {
    const shown = projection(viewer);
    let made = searches.get(shown);
    if (!made) searches.set(shown, (made = toolSearch(tools(viewer), deps.meanings)));
    return made;
  }

  function backends({ view, principal }: Viewer): Backend[] {
    const allowed = deps.backends().filter(({ name }) => hasScope(principal, `${name}:read`));
    if (view.toolset === undefined && !principal.tools) return allowed;
    return allowed.filter(({ name }) =>
      isSeen(
        registry.all().filter(({ source }) => source === name),
        { view, principal },
      ),
    );
  }

  /** Whether it sees enough of these tools of one source to see the resources and prompts of that source. */
  function isSeen(tools: readonly Registered[], { view, principal }: Viewer): boolean {
    if (view.toolset === undefined && !principal.tools) return tools.length > 0;
    const seen = tools.filter(projection({ view, principal }).includes);
    // A principal that was given only some tools of a source must not see all of its resources and prompts.
    return seen.length > 0 && (!principal.tools || seen.length === tools.length);
  }

  /** The prompts and resources of our own that it may use. A source without tools at the moment offers nothing else. */
  function offers(viewer: Viewer): Offers {
    const { principal } = viewer;
    const sources = registry
      .sources()
      .filter((source) => source.prompts || source.resources)
      .filter((source) =>
        isSeen(
          registry.all().filter(({ origin }) => origin === source),
          viewer,
        ),
      );
    return {
      prompts: sources.flatMap(({ prompts = [] }) => prompts.filter(({ scope }) => hasScope(principal, scope))),
      resources: sources.flatMap(({ resources }) =>
        resources && hasScope(principal, resources.scope) ? [resources] : [],
      ),
    };
  }

  const capabilities = (viewer: Viewer, era: Era): Json => mergeCapabilities(backends(viewer), offers(viewer), era);

  /** A hint about a tool that is not in the view: why it is missing, or which names are near. */
  function missing(name: string, viewer: Viewer): string | undefined {
    const why = absence(name, viewer);
    if (why !== undefined) return why;
    const near = nearestNames(name, projection(viewer).names());
    return didYouMean(near) || undefined;
  }

  /** Why the tools of the source in this name are not known yet. */
  function absence(name: string, viewer: Viewer): string | undefined {
    for (const { source } of projection(viewer).sources) {
      const why = source.absence?.(name);
      if (why !== undefined) return why;
    }
    const owner = backends(viewer).find(
      ({ name: id, prefix }) =>
        name.startsWith(`${id}__`) || aliasHeads({ id, prefix }).some((head) => name.startsWith(head)),
    );
    if (!owner || owner.catalogue || !owner.lastError) return undefined;
    return `The server ${owner.name} is not running: ${owner.lastError.message}`;
  }

  return { keyOf, projection, tools, search, backends, offers, capabilities, missing };
}

export type Visibility = ReturnType<typeof createVisibility>;
