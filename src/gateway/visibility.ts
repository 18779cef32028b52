import { hasScope, permissionsOf, type Principal } from '../kernel/principal.ts';
import type { View } from '../wire/service.ts';
import type { Backend } from './backends/backend.ts';
import { type Chosen, type Projection, project } from './exposure/exposure.ts';
import { keep } from './kept.ts';
import { didYouMean, nearestNames } from '../kernel/nearest-names.ts';
import { aliasHeads } from './names.ts';
import { isListed, type Registered, type Registry } from './registry.ts';
import type { Toolset } from './settings.ts';
import type { ToolMeanings } from './exposure/tool-meanings.ts';
import { own } from '../kernel/own.ts';

/** Whoever looks, and at what. */
export interface Viewer {
  readonly view: View;
  readonly principal: Principal;
}

/** What is left of a toolset that was taken out of the file: a session that was opened there sees no more for it. */
const nothing: Toolset = { include: [''], exclude: [], readOnly: false };

/** What a client may see: its tools as it asked to see them, and the backends whose resources and prompts it may use. */
export function createVisibility(deps: {
  registry: Registry;
  backends(): readonly Backend[];
  toolsets(): Record<string, Toolset>;
  chosen(): Chosen;
  meanings?: ToolMeanings | undefined;
}) {
  const { registry } = deps;
  const projections = new Map<string, Projection>();
  /** The plain view of each principal, which nearly every call asks for, without spelling out what it may do. */
  let plain = new WeakMap<Principal, Projection>();
  registry.onChange(() => {
    projections.clear();
    plain = new WeakMap();
  });

  /** The same for all who see the same. */
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

  function backends({ view, principal }: Viewer): Backend[] {
    const allowed = deps.backends().filter(({ name }) => hasScope(principal, `${name}:read`));
    if (view.toolset === undefined && !principal.tools) return allowed;
    const { includes } = projection({ view, principal });
    return allowed.filter(({ name }) => {
      const tools = registry.all().filter(({ source }) => source === name);
      const seen = tools.filter(includes);
      // Whoever was given some tools of a server by name was not given all that its resources and prompts show.
      return seen.length > 0 && (!principal.tools || seen.length === tools.length);
    });
  }

  /** What helps somebody who asked for a tool that is not in the view: why it is not there, or which is near. */
  function missing(name: string, viewer: Viewer): string | undefined {
    const why = absence(name, viewer);
    if (why !== undefined) return why;
    const near = nearestNames(name, projection(viewer).names());
    return didYouMean(near) || undefined;
  }

  /** What keeps the tools of the source it names from being known. */
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

  return { keyOf, projection, tools, backends, missing };
}

export type Visibility = ReturnType<typeof createVisibility>;
