import { cacheDirectory, homeDirectory } from './host/home.ts';
import type { NodesCommandDeps } from './cli/nodes.ts';
import type { Env } from './host/part.ts';
import { createN8n } from './n8n/connected.ts';
import type { OwnRecords } from './n8n/generate/records.ts';
import { findInstallation } from './n8n/local/install.ts';
import { npmOutput } from './n8n/local/npm-output.ts';
import { installDirectory } from './n8n/local/places.ts';
import { waitForLock } from './host/process-lock.ts';
import { instanceTypes } from './n8n/nodes/instance-types.ts';
import type { Catalogues } from './nodes/catalogue.ts';
import type { Sources } from './nodes/sources/sources.ts';
import { loadOrFail } from './runtime.ts';
import { join } from 'node:path';
import { AppError } from './kernel/errors.ts';
import { PINNED_N8N } from './nodes/which-n8n.ts';

/** No tool is called from here. */
const none: Catalogues & OwnRecords = {
  state: () => ({ state: 'missing' }),
  get: noTools,
  ready: noTools,
  put: noTools,
  secret: noTools,
};

function noTools(): never {
  throw new AppError('internal', 'There are no tools in this process.');
}

/** What `sluice nodes` works with: the catalogues of this home, and everything they can be built from. */
export function nodesCommandDeps(env: Env) {
  const home = homeDirectory(env);
  const cache = cacheDirectory(env);
  return {
    home,
    cache,
    async open(file: string | undefined) {
      const { config, env: whole } = await loadOrFail({
        home,
        cwd: process.cwd(),
        env,
        ...(file !== undefined && { file }),
      });
      const n8n = createN8n({ home, config: () => config, addSources() {}, catalogues: none, records: none });
      await n8n.configure();
      const instances = await n8n.instances();
      const sources: Sources = {
        async installed(version) {
          const found = await findInstallation({ cache, version, env: {} });
          return found && join(installDirectory(cache, version), 'node_modules');
        },
        npm: (args, cwd, signal) => npmOutput({ args, cwd, env: whole, signal }),
        instance(name) {
          if (instances) return instanceTypes(instances.get(name));
          throw new AppError('not_found', `There is no n8n ${name}: none is configured.`);
        },
        lock: waitForLock,
      };
      return {
        pinned: config.nodes.version ?? PINNED_N8N,
        instances: n8n.names(),
        sources,
        rules: config.validation.rules,
        client(name: string | undefined) {
          if (instances) return instances.get(name);
          throw new AppError('unavailable', NOT_CONNECTED);
        },
      };
    },
  } satisfies NodesCommandDeps;
}

const NOT_CONNECTED =
  'no n8n is connected. Put n8n.default: { url, apiKey } into sluice.yaml, or set N8N_URL and N8N_API_KEY; `sluice n8n up` starts one here.';
