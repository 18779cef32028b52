import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DoctorDeps } from './cli/doctor.ts';
import type { Examined } from './host/doctor-checks.ts';
import type { ExportDeps } from './cli/export.ts';
import { homeDirectory } from './host/home.ts';
import type { KeysDeps } from './cli/keys.ts';
import type { OwnerDeps } from './cli/owner.ts';
import type { InitDeps } from './cli/init.ts';
import type { GatewayAccess } from './cli/reach.ts';
import type { WebhooksDeps } from './cli/webhooks.ts';
import { findClientConfigs, importServers, renderConfig } from './gateway/import/clients.ts';
import { addToDotenv, readDotenv } from './host/config/dotenv.ts';
import { ConfigError, formatProblems } from './host/config/load.ts';
import type { AnyPart, Env } from './host/part.ts';
import { moveSecrets } from './gateway/import/move-secrets.ts';
import { reachableUrl } from './kernel/reachable-url.ts';
import { parts } from './parts.ts';
import { load, loadOrFail } from './runtime.ts';
import { openSqlite } from './store/sqlite.ts';

const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));

/** Names that our own sources have. */
const ownNames = Object.values<AnyPart>(parts)
  .flatMap((part) => part.claims?.({}) ?? [])
  .map(({ name }) => name);

function place(env: Env, file?: string) {
  return { home: homeDirectory(env), cwd: process.cwd(), env, ...(file !== undefined && { file }) };
}

export function initDeps(env: Env): InitDeps {
  const cwd = process.cwd();
  return {
    cwd,
    find: () => findClientConfigs({ home: homedir(), platform: process.platform, cwd }),
    read: (path) => importServers(path, cwd),
    moveSecrets: async (servers, dotenv) => moveSecrets(servers, { ...(await readDotenv(dotenv)), ...env }),
    render: (servers, n8n) => renderConfig(servers, { taken: ownNames, n8n }),
    addToDotenv,
    async check(file) {
      try {
        await load(place(env, file));
      } catch (error) {
        if (error instanceof ConfigError) return formatProblems(error);
        throw error;
      }
    },
  };
}

export function doctorDeps(env: Env, access: GatewayAccess): DoctorDeps {
  return {
    access,
    node: process.version,
    async examine(file): Promise<Examined> {
      try {
        const { config, file: found } = await load(place(env, file));
        const { host, port } = config.server;
        return { ...(found !== undefined && { file: found }), host, port };
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const problems = error.problems.map(({ path, line, message, fix }) => ({
          where: [line === undefined ? '' : `line ${line}`, path].filter(Boolean).join(', '),
          message,
          fix,
        }));
        return { ...(error.file !== undefined && { file: error.file }), problems };
      }
    },
  };
}

export function exportDeps(env: Env, access: GatewayAccess): ExportDeps {
  return {
    access,
    async configured(file) {
      const { config } = await loadOrFail(place(env, file));
      const { host, port, publicUrl } = config.server;
      const base = publicUrl?.replace(/\/$/, '') ?? reachableUrl(host, port);
      const { mode, token } = config.auth;
      return {
        url: `${base}/mcp`,
        needsKey: mode === 'keys' || (mode === 'none' && token !== undefined),
      };
    },
    async stdio(file) {
      // A client starts it somewhere else, where neither this directory nor this environment is known.
      const { file: found } = await loadOrFail(place(env, file));
      return {
        command: process.execPath,
        args: [bin, 'stdio', ...(found === undefined ? [] : ['--config', found])],
        ...(env.SLUICE_HOME && { env: { SLUICE_HOME: resolve(env.SLUICE_HOME) } }),
      };
    },
  };
}

export function keysDeps(env: Env): KeysDeps {
  return { open: () => openSqlite(join(homeDirectory(env), 'sluice.db')), user: userInfo().username };
}

export function ownerDeps(env: Env): OwnerDeps {
  return { open: () => openSqlite(join(homeDirectory(env), 'sluice.db')) };
}

export function webhooksDeps(env: Env): WebhooksDeps {
  return { open: () => openSqlite(join(homeDirectory(env), 'sluice.db')) };
}
