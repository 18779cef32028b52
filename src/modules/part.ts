import { embedderPart } from '../embedder/part.ts';
import { gatewayPart } from '../gateway/part.ts';
import type { Fill } from '../host/config/fill.ts';
import { listIn } from '../host/config/fill.ts';
import type { Finding } from '../host/config/schema-problems.ts';
import { isTree, type Tree } from '../host/config/tree.ts';
import { type Env, part } from '../host/part.ts';
import { own } from '../kernel/own.ts';
import { moduleFacts } from './facts.ts';
import { known } from './known.ts';
import { moduleMigrations } from './migrations.ts';
import type { ModulesApi } from './open.ts';
import type { Preset } from './presets/preset.ts';
import { anchored, modulesSettings, type Section } from './settings.ts';
import { variablesOf } from './variables.ts';

const uses = { gateway: gatewayPart, embedder: embedderPart };

/** The services of a self-hosted stack: a folder for each, all of one shape (module.ts). */
export const modulesPart = part<ModulesApi, typeof modulesSettings, typeof uses, typeof moduleFacts>({
  uses,
  settings: modulesSettings,
  facts: moduleFacts,
  migrations: moduleMigrations,
  references: {
    vault: {
      section: ['modules', 'vault'],
      secretVariables: ['VAULT_TOKEN'],
      load: async () => (await import('./vault/references.ts')).readVaultReferences,
    },
  },
  // URLs have passwords in them.
  secretVariables: (file, env) => typesIn(file, env).flatMap((type) => Object.values(variablesOf(type))),
  environment: (file, { env }) => [...named(file, env), ...filled(file, env)],
  problems: async (_, settings, resolve) => (settings ? await findings(settings.modules, resolve) : []),
  claims: ({ modules }) =>
    isTree(modules)
      ? Object.keys(modules).map((name) => ({ name, owner: `the module "${name}"`, path: ['modules', name] }))
      : [],
  anchor: ({ modules }, from) => ({
    modules: Object.fromEntries(Object.entries(modules).map(([name, section]) => [name, anchored(section, from)])),
  }),
  pages: [
    {
      path: 'modules',
      title: 'Modules',
      scope: 'tools:read',
      module: 'modules/pages/modules.tsx',
      order: 80,
      key: 'd',
      kinds: ['module'],
    },
  ],
  tools: async () => {
    const loaded = await Promise.all([...known.values()].map(async ({ load }) => await (await load()).tools()));
    return loaded.flat();
  },
  commands: {
    modules: {
      summary: 'Shows the services, whether they answer, and what they need',
      load: async (place) => (await import('./commands/modules.ts')).modulesCommand(place),
    },
  },
  open: async (host, used) => await (await import('./open.ts')).openModules(host, used),
});

/** SLUICE_MODULES=redis,docker switches modules on where no file does. */
function named({ modules }: Tree, { SLUICE_MODULES }: Env): Fill[] {
  if (!SLUICE_MODULES || modules !== undefined) return [];
  return listIn(SLUICE_MODULES).map((name) => ({ variable: 'SLUICE_MODULES', path: ['modules', name], value: {} }));
}

/** The modules that are on, as far as variables can complete them. */
const typesIn = ({ modules }: Tree, { SLUICE_MODULES }: Env): string[] =>
  isTree(modules) ? Object.keys(modules) : modules === undefined ? listIn(SLUICE_MODULES ?? '') : [];

/** Variables complete the sections that are there, but switch none on. */
function filled({ modules }: Tree, env: Env): Fill[] {
  const sections = isTree(modules) ? Object.entries(modules) : [];
  const all = modules === undefined ? listIn(env.SLUICE_MODULES ?? '').map((name) => [name, {}] as const) : sections;
  return all.flatMap(([name, section]) => {
    if (!isFirst(name, section)) return [];
    return Object.entries(variablesOf(name)).flatMap(([key, variable]) => {
      const value = own(env, variable);
      return value ? [{ variable, path: ['modules', name, key], value }] : [];
    });
  });
}

async function findings(modules: Readonly<Record<string, Section>>, from: (path: string) => string) {
  if (Object.keys(modules).length === 0) return [];
  const [{ findModule }, { parsed }] = await Promise.all([import('./find-module.ts'), import('./parsed.ts')]);
  const each = Object.entries(modules).map(async ([name, section]): Promise<readonly Finding[]> => {
    const found = await findModule(name, section, from);
    if ('problem' in found) return [{ path: ['modules', name], message: found.problem, fix: found.fix }];
    if ('preset' in found) return await presetFindings(name, found.preset, section);
    const result = parsed(name, found.module, section);
    return 'findings' in result ? result.findings : [];
  });
  return (await Promise.all(each)).flat().map((one) => withVariable(one, modules));
}

/** A missing key that a variable fills: says so. */
function withVariable(finding: Finding, modules: Readonly<Record<string, Section>>): Finding {
  const [, name, key, ...inner] = finding.path.map(String);
  const section = own(modules, name ?? '');
  if (name === undefined || key === undefined || inner.length > 0 || own(section ?? {}, key) !== undefined)
    return finding;
  const variable = isFirst(name, section) ? own(variablesOf(name), key) : undefined;
  return variable === undefined ? finding : { ...finding, fix: `${finding.fix} Or set ${variable}.` };
}

/** A second one of a kind is another service: variables are about the first. */
const isFirst = (name: string, section: unknown): boolean =>
  !isTree(section) || section.type === undefined || section.type === name;

async function presetFindings(name: string, preset: Preset | undefined, section: Section): Promise<readonly Finding[]> {
  const result = (await import('./presets/section.ts')).readSection(name, preset, section);
  return 'findings' in result ? result.findings : [];
}
