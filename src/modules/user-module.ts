import { access } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { messageOf } from '../kernel/errors.ts';
import type { AnyModule, Found } from './module.ts';

/** Where the code of a module may be, below the folder of the configuration. */
const places = (type: string): string[] =>
  ['.ts', '.mts', '.js', '.mjs'].flatMap((end) => [`modules/${type}${end}`, `modules/${type}/module${end}`]);

/** Packages are found from the folder of the configuration: the URL carries it to the hook. */
const FROM = 'sluice-package:';

let hooked = false;

/** Lets modules import `sluice/module` wherever they are, and finds packages where the configuration is. */
function hook(): void {
  if (hooked) return;
  hooked = true;
  const kit = new URL(`./kit${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'sluice/module') return { url: kit, shortCircuit: true };
      if (!specifier.startsWith(FROM)) return next(specifier, context);
      const { name, parent } = JSON.parse(decodeURIComponent(specifier.slice(FROM.length))) as Record<string, string>;
      return next(name as string, { ...context, parentURL: parent as string });
    },
  });
}

/** A module in the folder `modules` beside the file. */
export async function ownModule(type: string, from: (path: string) => string): Promise<Found | undefined> {
  if (!/^[a-z][a-z0-9-]*$/.test(type)) return undefined;
  for (const place of places(type)) {
    const path = from(place);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return await loaded(pathToFileURL(path).href, place);
  }
  return undefined;
}

export async function packagedModule(name: string, from: (path: string) => string): Promise<Found> {
  const parent = pathToFileURL(from('sluice.yaml')).href;
  return await loaded(`${FROM}${encodeURIComponent(JSON.stringify({ name, parent }))}`, `the package ${name}`);
}

async function loaded(url: string, what: string): Promise<Found> {
  hook();
  let exported: { default?: unknown };
  try {
    exported = (await import(url)) as typeof exported;
  } catch (error) {
    const isMissing = url.startsWith(FROM) && (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    return {
      problem: `${what} cannot be loaded: ${messageOf(error).split('\n')[0]}`,
      fix: isMissing ? 'Install it beside the file with npm install.' : 'Correct its code.',
    };
  }
  const wrong = shape.safeParse(exported.default).error?.issues[0];
  if (!wrong) return { module: exported.default as AnyModule };
  const at = wrong.path.length > 0 ? `${wrong.path.join('.')} ` : '';
  return {
    problem: `${what} is not a module: ${at}${wrong.message}`,
    fix: 'It needs `export default module({ … })`. `sluice modules new NAME` writes one.',
  };
}

const code = z.custom<unknown>((given) => typeof given === 'function', 'must be a function');

const shape = z.object(
  {
    name: z.string().regex(/^[a-z][a-z0-9]*$/, 'must be lower-case letters and digits'),
    description: z.string().min(1).max(200),
    settings: z.instanceof(z.ZodObject, { error: 'must be made with z.object' }),
    address: code,
    tools: code,
    connect: code,
    check: code,
  },
  'there is no default export',
);
