import { hasScope, type Principal } from '../kernel/principal.ts';
import type { Exposure } from '../kernel/source.ts';
import type { View } from '../wire/service.ts';
import type { Backend } from './backend.ts';
import { type Projection, project } from './exposure.ts';
import type { Registry } from './registry.ts';
import type { Toolset } from './settings.ts';

/** Whoever looks, and at what. */
export interface Viewer {
  readonly view: View;
  readonly principal: Principal;
}

/** What a client may see: its tools as it asked to see them, and the backends whose resources and prompts it may use. */
export function createVisibility(deps: {
  registry: Registry;
  backends(): readonly Backend[];
  toolsets(): Record<string, Toolset>;
  expose(): Exposure | undefined;
}) {
  const { registry } = deps;
  const projections = new Map<string, Projection>();
  registry.onChange(() => projections.clear());

  /** The same for all who see the same. */
  function keyOf({ view, principal }: Viewer): string {
    const everything = principal.scopes === 'all' && !principal.tools && !principal.readOnly;
    return `${view.toolset ?? ''}|${view.expose ?? ''}|${everything ? 'all' : principal.id}`;
  }

  function projection({ view, principal }: Viewer): Projection {
    const key = keyOf({ view, principal });
    const known = projections.get(key);
    if (known) return known;
    const toolset = view.toolset === undefined ? undefined : deps.toolsets()[view.toolset];
    const made = project(registry, view, toolset, principal, deps.expose());
    projections.set(key, made);
    return made;
  }

  function backends({ view, principal }: Viewer): Backend[] {
    const allowed = deps.backends().filter(({ name }) => hasScope(principal, `${name}:read`));
    if (view.toolset === undefined) return allowed;
    const { find } = projection({ view, principal });
    return allowed.filter(({ name }) =>
      registry.all().some((tool) => tool.source === name && find(tool.name) === tool),
    );
  }

  return { keyOf, projection, backends };
}

export type Visibility = ReturnType<typeof createVisibility>;
