import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { z } from 'zod';
import { type Env, serverTimeout } from '../../host/config/environment.ts';
import { interpolate } from '../../host/config/interpolate.ts';
import { own } from '../../kernel/own.ts';
import type { Config, PresetConfig, ServerConfig } from '../../host/config/schema.ts';
import { presetSchema } from './server-entry.ts';
import { ownSources, sameSource } from '../../host/config/source-clashes.ts';
import { isTree } from '../../host/config/tree.ts';

type Written = z.input<typeof presetSchema>;

/** Servers that are there as soon as their variable is set, written as a user would write one under `presets:`. */
export const builtInPresets: Readonly<Record<string, Written>> = {
  chora: {
    when: { env: 'ANTHROPIC_API_KEY' },
    command: 'chora-compose',
    env: { ANTHROPIC_API_KEY: '${ANTHROPIC_API_KEY}' },
    prefix: 'chora',
    tags: ['artifacts'],
    allowedPaths: [{ tool: 'assemble_artifact', argument: 'output_path', directories: ['.'] }],
  },
  coda: {
    when: { env: 'CODA_API_KEY' },
    command: 'coda-mcp',
    env: { CODA_API_KEY: '${CODA_API_KEY}', CODA_FOLDER_ID: '${CODA_FOLDER_ID:-}' },
    prefix: 'coda',
    tags: ['documents'],
  },
};

/** Where the program of a built-in one writes its events, from the working directory. */
const telemetry: Readonly<Record<string, string>> = { chora: 'var/telemetry/events.jsonl' };

export interface Unavailable {
  name: string;
  reason: string;
}

/**
 * The file's presets, in which a built-in one stands only with what is to be different: `chora: { timeout: 60 }`. One with
 * a `when` is the user's own.
 */
export function completePresets(presets: unknown, cwd: string): unknown {
  if (!isTree(presets)) return presets;
  return Object.fromEntries(
    Object.entries(presets).map(([name, given]) => {
      const built = own(builtInPresets, name);
      return [name, built && isTree(given) && given.when === undefined ? { ...fromHere(built, cwd), ...given } : given];
    }),
  );
}

/** Adding to what a built-in one allows must not move what it allows: relative to the working directory, not to the file. */
function fromHere(preset: Written, cwd: string): Written {
  return {
    ...preset,
    ...(preset.allowedPaths && {
      allowedPaths: preset.allowedPaths.map((rule) => ({
        ...rule,
        directories: rule.directories.map((path) => resolve(cwd, path)),
      })),
    }),
  };
}

/**
 * Adds the presets whose variable is set to `mcpServers`. An entry of the user's own wins over a preset of its name,
 * a preset of the user's over a built-in one, and `presets: { chora: false }` switches one off.
 * Relative directories of the built-in ones are meant from `cwd`.
 */
export async function applyPresets(
  config: Config,
  env: Env,
  cwd: string,
): Promise<{ config: Config; unavailable: Unavailable[] }> {
  const presets: Record<string, PresetConfig | false> = {};
  for (const [name, preset] of Object.entries(builtInPresets)) {
    if (env[preset.when.env] && !Object.hasOwn(config.presets, name)) presets[name] = builtIn(preset, env, cwd);
  }
  Object.assign(presets, config.presets);

  const mcpServers = { ...config.mcpServers };
  const unavailable: Unavailable[] = [];
  const watch = [...(config.events.watch ?? [])];
  for (const [name, preset] of Object.entries(presets)) {
    if (!preset || !env[preset.when.env] || Object.hasOwn(config.mcpServers, name)) continue;
    const { when: _, ...server } = preset;
    const reason = clashOf(name, server, { ...config, mcpServers }) ?? (await missingCommand(server, env, cwd));
    if (reason !== undefined) {
      unavailable.push({ name, reason });
      continue;
    }
    mcpServers[name] = server;
    const file = isBuiltIn(name, preset) ? own(telemetry, name) : undefined;
    const path = file === undefined ? undefined : resolve(cwd, file);
    if (path !== undefined && !watch.some((known) => known.path === path))
      watch.push({ path, from: 'end', optional: true });
  }
  const events = watch.length === 0 ? config.events : { ...config.events, watch };
  return { config: { ...config, mcpServers, events }, unavailable };
}

/** Also with changes of the user's. */
const isBuiltIn = (name: string, { when, transport }: PresetConfig): boolean => {
  const built = own(builtInPresets, name);
  return when.env === built?.when.env && transport.kind === 'stdio' && transport.command === built.command;
};

function builtIn(preset: Written, env: Env, cwd: string): PresetConfig {
  const parsed = presetSchema.parse(interpolate(fromHere(preset, cwd), (name) => env[name]).value);
  const { transport } = parsed;
  const timeout = serverTimeout(env);
  return {
    ...parsed,
    ...(timeout !== undefined && { timeout, callTimeout: timeout }),
    // A variable that is not set is better left out than handed over empty.
    ...(transport.kind === 'stdio' && {
      transport: { ...transport, env: Object.fromEntries(Object.entries(transport.env).filter(([, value]) => value)) },
    }),
  };
}

// Unlike in the file, a clash here is no error: nobody asked for this preset by name.
function clashOf(name: string, preset: ServerConfig, config: Config): string | undefined {
  const taken = new Map<string, string>();
  for (const own of ownSources) taken.set(own, `Sluice's own "${own}" tools`);
  for (const module of Object.keys(config.modules)) taken.set(sameSource(module), `the module "${module}"`);
  for (const [server, { prefix, enabled }] of Object.entries(config.mcpServers)) {
    if (!enabled) continue;
    for (const claim of [server, prefix || server]) taken.set(sameSource(claim), `the server "${server}"`);
  }
  const owner = taken.get(sameSource(name)) ?? taken.get(sameSource(preset.prefix || name));
  return owner && `Its name is taken by ${owner}. Rename that one, or write presets: { ${name}: false }.`;
}

async function missingCommand({ transport }: ServerConfig, env: Env, cwd: string): Promise<string | undefined> {
  if (transport.kind !== 'stdio') return undefined;
  const { command } = transport;
  if (await isRunnable(command, { ...env, ...transport.env }.PATH ?? '', transport.cwd ?? cwd)) return undefined;
  return `The command ${command} is not installed (not found on PATH).`;
}

async function isRunnable(command: string, path: string, cwd: string): Promise<boolean> {
  const candidates =
    isAbsolute(command) || command.includes('/')
      ? [resolve(cwd, command)]
      : path
          .split(delimiter)
          .filter((directory) => directory !== '')
          .map((directory) => join(directory, command));
  const found = await Promise.all(
    candidates.map(async (file) => {
      const isFile = await stat(file).then(
        (facts) => facts.isFile(),
        () => false,
      );
      return (
        isFile &&
        access(file, constants.X_OK).then(
          () => true,
          () => false,
        )
      );
    }),
  );
  return found.includes(true);
}
