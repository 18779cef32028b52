import { isTree } from '../host/config/tree.ts';
import { nearestNames } from '../kernel/nearest-names.ts';
import { known } from './known.ts';
import type { Found, FoundAny } from './module.ts';
import { presets } from './presets/built-in.ts';
import type { Section } from './settings.ts';

/** Which module a section is about. */
const typeOf = (name: string, { type }: Section): string => (typeof type === 'string' ? type : name);

/**
 * The module of a section: built in, of a package, or from the folder `modules` beside the file. A preset is undefined if
 * the section itself describes it.
 */
export async function findModule(name: string, section: Section, from: (path: string) => string): Promise<FoundAny> {
  const type = typeOf(name, section);
  if (isTree(section.server)) return { preset: undefined };
  const preset = section.package === undefined ? presets.get(type) : undefined;
  if (preset) return { preset };
  const ofPackage = typeof section.package === 'string' ? section.package : undefined;
  const builtIn = ofPackage === undefined ? known.get(type) : undefined;
  if (builtIn) return { module: await builtIn.load() };
  const { ownModule, packagedModule } = await import('./user-module.ts');
  if (ofPackage !== undefined) return await packagedModule(ofPackage, from);
  return (await ownModule(type, from)) ?? unknown(type);
}

function unknown(type: string): Found {
  const names = [...known.keys(), ...presets.keys()];
  const near = nearestNames(type, names);
  const meant = near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : '';
  return {
    problem: `"${type}" is not a module`,
    fix: `${meant}Built in are ${names.join(', ')}; your own goes to modules/${type}.ts beside the file.`,
  };
}
