import { nearestNames } from '../kernel/nearest-names.ts';
import { known } from './known.ts';
import type { AnyModule } from './module.ts';
import type { Section } from './settings.ts';

export type Found = { readonly module: AnyModule } | { readonly problem: string; readonly fix: string };

export const typeOf = (name: string, { type }: Pick<Section, 'type'>): string => type ?? name;

/** The module of a section: built in, of a package, or from the folder `modules` beside the file. */
export async function findModule(
  name: string,
  section: Pick<Section, 'type' | 'package'>,
  from: (path: string) => string,
): Promise<Found> {
  const type = typeOf(name, section);
  const builtIn = section.package === undefined ? known.get(type) : undefined;
  if (builtIn) return { module: await builtIn.load() };
  const { ownModule, packagedModule } = await import('./user-module.ts');
  if (section.package !== undefined) return await packagedModule(section.package, from);
  return (await ownModule(type, from)) ?? unknown(type);
}

function unknown(type: string): Found {
  const near = nearestNames(type, known.keys());
  const meant = near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : '';
  return {
    problem: `"${type}" is not a module`,
    fix: `${meant}Built in are ${[...known.keys()].join(', ')}; your own goes to modules/${type}.ts beside the file.`,
  };
}
