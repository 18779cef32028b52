import type { OwnLibrary } from '../own/library.ts';
import type { Kept } from '../public/cache.ts';
import type { PublicLibrary } from '../public/library.ts';
import type { TemplateSummary } from '../template.ts';

export interface Gathered {
  /** By id. The same map as last time if nothing has changed. */
  readonly known: ReadonlyMap<string, TemplateSummary>;
  readonly notes: readonly string[];
}

type Kinds = readonly (ReadonlyMap<string, Kept<TemplateSummary>> | readonly TemplateSummary[])[];

/** Everything that can be searched without asking anybody. */
export function gatherer() {
  let last: { readonly of: Kinds; readonly known: ReadonlyMap<string, TemplateSummary> } = { of: [], known: new Map() };

  return async (published: PublicLibrary | undefined, own: readonly OwnLibrary[]): Promise<Gathered> => {
    const read = await Promise.all(own.map((library) => library.templates()));
    const of: Kinds = [...(published ? [await published.known()] : []), ...read.map(({ templates }) => templates)];
    const notes = read.flatMap(({ trouble }) => trouble ?? []);
    if (last.of.length === of.length && last.of.every((each, at) => each === of[at]))
      return { known: last.known, notes };
    const known = new Map<string, TemplateSummary>();
    for (const kind of of) {
      for (const one of kind.values()) {
        const template = 'value' in one ? one.value : one;
        known.set(template.id, template);
      }
    }
    last = { of, known };
    return { known, notes };
  };
}
