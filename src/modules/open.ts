import { dirname, resolve } from 'node:path';
import type { Embedding } from '../embedder/part.ts';
import type { GatewayApi } from '../gateway/open.ts';
import type { Check } from '../host/check.ts';
import type { OpenPart } from '../host/part.ts';
import { messageOf } from '../kernel/errors.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { Instance } from './instance.ts';
import { known } from './known.ts';
import { createRevealed } from './revealed.ts';
import { presets } from './presets/built-in.ts';
import { moduleRoutes } from './routes/routes.ts';
import type { Brought, Serving } from './serving.ts';
import type { ModulesHost, Section } from './settings.ts';

export interface ModulesApi {
  /** The services of the file. */
  instances(): readonly Instance[];
}

interface Used {
  readonly gateway: Pick<GatewayApi, 'addSources' | 'serve' | 'reconfigure' | 'backend' | 'registry'>;
  readonly embedder: Embedding;
}

export async function openModules(host: ModulesHost, { gateway, embedder }: Used): Promise<OpenPart<ModulesApi>> {
  const serving = new Map<string, Serving>();
  /** Sections that are servers of somebody else: the gateway runs them. */
  const brought = new Map<string, Brought>();
  /** A source stays when its section goes: it is empty then, and full again when the section comes back. */
  const sources = new Map<string, ToolSource & { announce(): void }>();
  const revealed = createRevealed();
  // In one process nothing is stored.
  const sharing = host.shared.peers ? (await import('./revealed-shared.ts')).shareRevealed(host, revealed) : undefined;
  let begun = false;

  const from = (path: string) => resolve(host.file === undefined ? host.cwd : dirname(host.file), path);

  /** The code is loaded with the first section. */
  const serve = async (name: string, section: Section): Promise<Serving | Brought> =>
    (await import('./serving.ts')).serve(
      { host, embedder, revealed: sharing?.add ?? revealed.add, from },
      name,
      section,
    );

  function sourceOf(name: string): ToolSource & { announce(): void } {
    const listeners = new Set<() => void>();
    const instance = () => serving.get(name)?.instance;
    return {
      id: name,
      prefix: '',
      exposure: 'compact',
      get expose() {
        return instance()?.settings.expose;
      },
      get description() {
        return instance()?.about.description;
      },
      guide: () => instance()?.about.guide?.() ?? [],
      entries: () => instance()?.entries() ?? [],
      absence: (tool) => instance()?.absence(tool),
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      announce() {
        for (const listener of listeners) listener();
      },
    };
  }

  /** Makes what is served what the file says. Sections that did not change keep their connections. */
  async function apply(): Promise<void> {
    const { modules } = host.settings();
    const isServed = (name: string) =>
      JSON.stringify(modules[name]) === (serving.get(name) ?? brought.get(name))?.written;
    const fresh = new Map<string, Serving>();
    const servers = new Map<string, Brought>();
    for (const [name, section] of Object.entries(modules)) {
      if (isServed(name)) continue;
      const made = await serve(name, section);
      if ('server' in made) servers.set(name, made);
      else fresh.set(name, made);
    }
    const gone = [...brought.keys()].filter((name) => !Object.hasOwn(modules, name) || fresh.has(name));
    const leaving = [...serving].filter(
      ([name]) => !Object.hasOwn(modules, name) || fresh.has(name) || servers.has(name),
    );
    for (const name of gone) brought.delete(name);
    for (const [name, one] of servers) brought.set(name, one);
    for (const [name] of leaving) serving.delete(name);
    for (const [name, one] of fresh) serving.set(name, one);
    const added = [...fresh.keys()].filter((name) => !sources.has(name));
    const changed = [...leaving.map(([name]) => name), ...fresh.keys()].filter((name) => sources.has(name));
    for (const name of added) sources.set(name, sourceOf(name));
    if (begun && added.length > 0) gateway.addSources(added.map((name) => sources.get(name) as ToolSource));
    for (const name of new Set(changed)) sources.get(name)?.announce();
    if (begun) for (const { watch } of serving.values()) watch.begin();
    for (const [, { watch }] of leaving) watch[Symbol.dispose]();
    await Promise.all(leaving.map(([, { instance }]) => instance[Symbol.asyncDispose]()));
    if (begun && gone.length + servers.size > 0) await gateway.reconfigure();
  }

  gateway.serve('modules', () => Object.fromEntries([...brought].map(([name, { server }]) => [name, server])));
  await apply();
  const instances = () => [...serving.values()].map(({ instance }) => instance);
  return {
    api: { instances },
    sources: [...sources.values()],
    routes: moduleRoutes({
      gateway,
      instances,
      servers: () => [...brought].map(([name, { type, mode }]) => ({ name, type, mode })),
    }),
    secrets: () => [...serving.values(), ...brought.values()].flatMap(({ secrets }) => secrets),
    revealed: revealed.values,
    health: () => instances().map((instance) => instance.health()),
    absent() {
      const types = new Set(instances().map(({ type }) => type));
      const servers = [...presets.keys()].filter((name) => !brought.has(name));
      const others = [...[...known.keys()].filter((type) => !types.has(type)), ...servers];
      if (others.length === 0) return [];
      const reason = `${others.join(', ')}: not configured. \`sluice modules\` shows what each needs.`;
      return [{ name: 'modules', reason, optional: true }];
    },
    async begin() {
      begun = true;
      for (const { watch } of serving.values()) watch.begin();
    },
    reload: apply,
    check: (signal) => Promise.all(instances().map((instance) => checked(instance, signal))),
    async [Symbol.asyncDispose]() {
      await sharing?.[Symbol.asyncDispose]();
      for (const { watch } of serving.values()) watch[Symbol.dispose]();
      await Promise.all(instances().map((instance) => instance[Symbol.asyncDispose]()));
    },
  };
}

async function checked(instance: Instance, signal: AbortSignal): Promise<Check> {
  try {
    return { check: instance.name, result: 'ok', detail: await instance.check(signal) };
  } catch (error) {
    return { check: instance.name, result: 'failed', detail: messageOf(error) };
  }
}
