import type { Json, OwnResources, ToolSource } from '../kernel/source.ts';
import type { Backend } from './backends/backend.ts';
import { templateMatcher } from './uri-template.ts';

export interface RoutedUri {
  backend: Backend;
  /** The backend's own URI. */
  uri: string;
}

const REMEMBERED = 10_000;
const LONGEST_REMEMBERED = 4096;

/**
 * Finds the owner of a URI. URIs stay unchanged, so that links inside results keep working. Only if two backends claim the
 * same URI, the second one's becomes `<server>+<uri>`; so does one that is ours.
 */
export function createResourceIndex(
  backends: () => readonly Backend[],
  sources: () => readonly ToolSource[] = () => [],
) {
  let built:
    | {
        resources: { owner: Backend; item: Json }[];
        templates: { owner: Backend; item: Json }[];
        exact: Map<string, RoutedUri>;
        patterns: { fits: (uri: string) => boolean; owner: Backend; namespaced: boolean }[];
      }
    | undefined;
  /** URIs that results linked to but no list has. */
  const seen = new Map<string, Backend>();

  function build() {
    const exact = new Map<string, RoutedUri>();
    const resources: { owner: Backend; item: Json }[] = [];
    const templates: { owner: Backend; item: Json }[] = [];
    const patterns: { fits: (uri: string) => boolean; owner: Backend; namespaced: boolean }[] = [];
    const claimed = new Set<string>();
    const held = sources();
    for (const backend of backends()) {
      for (const item of backend.catalogue?.resources ?? []) {
        const original = item.uri as string;
        const uri = exact.has(original) || own(original, held) ? `${backend.name}+${original}` : original;
        exact.set(uri, { backend, uri: original });
        resources.push({ owner: backend, item: uri === original ? item : { ...item, uri } });
      }
      for (const item of backend.catalogue?.templates ?? []) {
        const original = item.uriTemplate as string;
        const namespaced = claimed.has(original) || own(original, held) !== undefined;
        claimed.add(original);
        const uriTemplate = namespaced ? `${backend.name}+${original}` : original;
        patterns.push({ fits: templateMatcher(uriTemplate), owner: backend, namespaced });
        templates.push({ owner: backend, item: namespaced ? { ...item, uriTemplate } : item });
      }
    }
    return { resources, templates, exact, patterns };
  }

  function own(uri: string, among = sources()): OwnResources | undefined {
    for (const { resources } of among) if (resources?.owns(uri)) return resources;
    return undefined;
  }

  const current = () => (built ??= build());
  const bare = (backend: Backend, uri: string) =>
    uri.startsWith(`${backend.name}+`) ? uri.slice(backend.name.length + 1) : uri;

  return {
    invalidate(): void {
      built = undefined;
    },
    resources: () => current().resources,
    templates: () => current().templates,
    /** Our own resources that this URI belongs to. */
    own: (uri: string) => own(uri),
    /** The backends to ask for a URI, the most likely first. */
    routes(uri: string): RoutedUri[] {
      if (own(uri)) return [];
      const exact = current().exact.get(uri);
      if (exact) return [exact];
      const linked = seen.get(uri);
      const owner = linked && backends().find(({ name }) => name === linked.name);
      if (owner) return [{ backend: owner, uri }];
      const matching = current().patterns.filter(({ fits }) => fits(uri));
      if (matching.length > 0)
        return matching.map(({ owner, namespaced }) => ({ backend: owner, uri: namespaced ? bare(owner, uri) : uri }));
      const named = backends().find((backend) => uri.startsWith(`${backend.name}+`));
      if (named) return [{ backend: named, uri: bare(named, uri) }];
      return backends()
        .filter((backend) => backend.catalogue?.capabilities.resources !== undefined)
        .map((backend) => ({ backend, uri }));
    },
    /** The URI under which clients know a backend's resource. */
    exposed(backend: Backend, uri: string): string {
      if (own(uri)) return `${backend.name}+${uri}`;
      const holder = current().exact.get(uri);
      return holder && holder.backend !== backend && current().exact.has(`${backend.name}+${uri}`)
        ? `${backend.name}+${uri}`
        : uri;
    },
    /** The backend that offers a template, for completions. */
    template(uriTemplate: string): RoutedUri | undefined {
      const owner = current().templates.find(({ item }) => item.uriTemplate === uriTemplate)?.owner;
      return owner && { backend: owner, uri: bare(owner, uriTemplate) };
    },
    remember(backend: Backend, uris: readonly string[]): void {
      for (const uri of uris) {
        if (uri.length > LONGEST_REMEMBERED) continue;
        seen.delete(uri);
        seen.set(uri, backend);
      }
      for (const oldest of seen.keys()) {
        if (seen.size <= REMEMBERED) break;
        seen.delete(oldest);
      }
    },
  };
}

export type ResourceIndex = ReturnType<typeof createResourceIndex>;
