import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { z } from 'zod';
import type { PresetPlaces, Watched } from '../../events/settings.ts';
import { type Claim, sameSource } from '../../host/config/claims.ts';
import { interpolate } from '../../host/config/interpolate.ts';
import { isTree, type Tree } from '../../host/config/tree.ts';
import type { Absent, Env } from '../../host/part.ts';
import { own } from '../../kernel/own.ts';
import type { BackendSettings } from '../settings.ts';
import { presetSchema, type PresetConfig } from './server-entry.ts';
import type { GatewayConfig } from './settings.ts';
import { serverTimeout } from './timeout.ts';

type Written = z.input<typeof presetSchema>;

/** Servers that start as soon as their variable is set, written like a user's own under `presets:`. */
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

/** Where the program of a built-in preset writes its events, and looks for those of its gateway: from the working directory. */
const eventPlaces: Readonly<Record<string, { readonly watch: string; readonly jsonl: string }>> = {
  chora: { watch: 'var/telemetry/events.jsonl', jsonl: '.chora/memory/events' },
};

/**
 * Completes the file's presets. For a built-in preset the file only has what differs: `chora: { timeout: 60 }`. A preset
 * with a `when` is the user's own.
 */
export function completePresets(file: Tree, cwd: string): Tree {
  if (!isTree(file.presets)) return file;
  const presets = Object.entries(file.presets).map(([name, given]) => {
    const built = own(builtInPresets, name);
    return [name, built && isTree(given) && given.when === undefined ? { ...fromHere(built, cwd), ...given } : given];
  });
  return { ...file, presets: Object.fromEntries(presets) };
}

/** Paths of a built-in preset stay relative to the working directory, also if the user's file changes the preset. */
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

/** What the active presets add: those whose variable is set. */
export interface Presets {
  /** The servers of the file and of presets. */
  readonly servers: Record<string, BackendSettings>;
  readonly unavailable: readonly Absent[];
  readonly events: PresetPlaces;
}

/**
 * Adds the presets whose variable is set to the servers. A server of the file overrides a preset of the same name, a
 * user's preset overrides a built-in one, and `presets: { chora: false }` switches one off.
 * Relative directories of built-in presets are relative to `cwd`.
 */
export async function applyPresets(
  config: Pick<GatewayConfig, 'mcpServers' | 'presets'>,
  { claims, env, cwd }: { claims: readonly Claim[]; env: Env; cwd: string },
): Promise<Presets> {
  const presets: Record<string, PresetConfig | false> = {};
  for (const [name, preset] of Object.entries(builtInPresets)) {
    if (env[preset.when.env] && !Object.hasOwn(config.presets, name)) presets[name] = builtIn(preset, env, cwd);
  }
  Object.assign(presets, config.presets);

  const servers: Record<string, BackendSettings> = { ...config.mcpServers };
  const unavailable: Absent[] = [];
  const watch: Watched[] = [];
  let jsonl: string | undefined;
  const taken = new Map(claims.map(({ name, owner }) => [sameSource(name), owner]));
  for (const [name, preset] of Object.entries(presets)) {
    if (!preset || !env[preset.when.env] || Object.hasOwn(config.mcpServers, name)) continue;
    const { when: _, ...server } = preset;
    const names = [name, server.prefix || name].map(sameSource);
    // A clash is no error here, unlike in the file: nobody asked for this preset by name.
    const owner = names.map((one) => taken.get(one)).find((one) => one !== undefined);
    const reason =
      owner === undefined
        ? await missingCommand(server, env, cwd)
        : `Its name is taken by ${owner}. Rename that one, or write presets: { ${name}: false }.`;
    if (reason !== undefined) {
      unavailable.push({ name, reason });
      continue;
    }
    servers[name] = server;
    for (const one of names) taken.set(one, `the server "${name}"`);
    const places = isBuiltIn(name, preset) ? own(eventPlaces, name) : undefined;
    if (!places) continue;
    watch.push({ path: resolve(cwd, places.watch), from: 'end', optional: true });
    jsonl ??= resolve(cwd, places.jsonl);
  }
  return { servers, unavailable, events: { watch, ...(jsonl !== undefined && { jsonl }) } };
}

/** True also if the user changed it in part. */
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
    // Leave out a variable that is not set, instead of passing an empty one.
    ...(transport.kind === 'stdio' && {
      transport: { ...transport, env: Object.fromEntries(Object.entries(transport.env).filter(([, value]) => value)) },
    }),
  };
}

async function missingCommand({ transport }: BackendSettings, env: Env, cwd: string): Promise<string | undefined> {
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
