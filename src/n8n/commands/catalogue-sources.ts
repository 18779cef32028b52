import { join } from 'node:path';
import type { Place } from '../../host/place.ts';
import { waitForLock } from '../../host/process-lock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Catalogues } from '../../nodes/catalogue.ts';
import type { NodesConfig } from '../../nodes/settings.ts';
import type { Sources } from '../../nodes/sources/sources.ts';
import { PINNED_N8N } from '../../nodes/which-n8n.ts';
import { createN8n } from '../connected.ts';
import type { OwnRecords } from '../generate/records.ts';
import { findInstallation } from '../local/install.ts';
import { npmOutput } from '../local/npm-output.ts';
import { installDirectory } from '../local/places.ts';
import { instanceTypes } from '../nodes/instance-types.ts';
import type { N8nConfig } from '../settings.ts';
import type { TemplateLibrary } from '../templates/template.ts';
import { notConnected } from './call-n8n.ts';
import { promotionRecords } from '../promotion/records.ts';

export type N8nPlace = Place<N8nConfig & NodesConfig>;

/** This process calls no tools. */
const none: Catalogues & OwnRecords & TemplateLibrary = {
  state: () => ({ state: 'missing' }),
  get: noTools,
  ready: noTools,
  put: noTools,
  secret: noTools,
  search: noTools,
  suggest: noTools,
  sync: noTools,
  [Symbol.asyncDispose]: async () => {},
};

const promotions = promotionRecords({ rows: noTools, change: noTools });

function noTools(): never {
  throw new AppError('internal', 'There are no tools in this process.');
}

export type CatalogueSources = Awaited<ReturnType<typeof openSources>>;

/** The n8n instances of the configuration, and everything a catalogue can be built from. */
export async function openSources({ home, cache, load }: N8nPlace, file: string | undefined) {
  const { config, env } = await load(file);
  const n8n = createN8n({
    home,
    config: () => config,
    addSources() {},
    catalogues: none,
    records: none,
    templates: none,
    promotions,
  });
  await n8n.configure();
  const instances = await n8n.instances();
  const sources: Sources = {
    async installed(version) {
      const found = await findInstallation({ cache, version, env: {} });
      return found && join(installDirectory(cache, version), 'node_modules');
    },
    npm: (args, cwd, signal) => npmOutput({ args, cwd, env, signal }),
    instance(name) {
      if (instances) return instanceTypes(instances.get(name));
      throw new AppError('not_found', `There is no n8n ${name}: none is configured.`);
    },
    lock: waitForLock,
  };
  return {
    home,
    cache,
    pinned: config.nodes.version ?? PINNED_N8N,
    instances: n8n.names(),
    sources,
    rules: config.validation.rules,
    client(name: string | undefined) {
      if (instances) return instances.get(name);
      throw notConnected();
    },
  };
}
