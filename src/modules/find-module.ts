import { nearestNames } from '../kernel/nearest-names.ts';
import { known } from './known.ts';
import type { Found } from './module.ts';
import type { Section } from './settings.ts';

/** Which module a section is about. */
const typeOf = (name: string, { type }: Section): string => (typeof type === 'string' ? type : name);

/** The module of a section: built in, of a package, or from the folder `modules` beside the file. */
export async function findModule(name: string, section: Section, from: (path: string) => string): Promise<Found> {
  const type = typeOf(name, section);
  const ofPackage = typeof section.package === 'string' ? section.package : undefined;
  const builtIn = ofPackage === undefined ? known.get(type) : undefined;
  if (builtIn) return { module: await builtIn.load() };
  const { ownModule, packagedModule } = await import('./user-module.ts');
  if (ofPackage !== undefined) return await packagedModule(ofPackage, from);
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
