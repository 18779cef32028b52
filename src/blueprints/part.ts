import { authPart } from '../auth/part.ts';
import { gatewayPart } from '../gateway/part.ts';
import { yieldingSource } from '../host/config/claims.ts';
import { part } from '../host/part.ts';
import { modulesPart } from '../modules/part.ts';
import { n8nPart } from '../n8n/part.ts';
import { storePart } from '../store/part.ts';
import { blueprintFacts } from './facts.ts';
import { blueprintMigrations } from './migrations.ts';
import type { BlueprintsApi } from './open.ts';
import { blueprintSettings } from './settings.ts';

const uses = { store: storePart, gateway: gatewayPart, auth: authPart, n8n: n8nPart, modules: modulesPart };

/** Provisioning in several steps: definitions, durable runs, and recipes. */
export const blueprintsPart = part<BlueprintsApi, typeof blueprintSettings, typeof uses, typeof blueprintFacts>({
  uses,
  settings: blueprintSettings,
  facts: blueprintFacts,
  migrations: blueprintMigrations,
  claims: ({ blueprints, recipes }) =>
    blueprints === false ? [] : [yieldingSource('blueprint'), ...(recipes ? [yieldingSource('recipe')] : [])],
  anchor: ({ blueprints, recipes }, from) => ({
    recipes,
    blueprints: blueprints && { ...blueprints, folders: blueprints.folders.map(from) },
  }),
  tools: async () => [
    ...(await import('./tools.ts')).blueprintTools,
    ...(await import('./recipes/tools.ts')).recipeTools,
  ],
  pages: [
    {
      path: 'blueprints',
      title: 'Blueprints',
      scope: 'blueprint:read',
      source: 'blueprint',
      module: 'blueprints/pages/blueprints.tsx',
      order: 60,
      key: 'b',
      kinds: ['blueprints'],
    },
  ],
  commands: {
    blueprint: {
      summary: 'Deploys blueprints and follows their runs',
      load: async (place) => (await import('./commands/blueprint.ts')).blueprintCommand(place),
    },
    'blueprint install': {
      summary: 'Installs the n8n workflows that blueprints of Sluice use, or updates them',
      load: async (place) => (await import('./commands/install.ts')).installCommand(place),
    },
    'blueprint uninstall': {
      summary: 'Deletes the n8n workflows that `sluice blueprint install` wrote',
      load: async (place) => (await import('./commands/uninstall.ts')).uninstallCommand(place),
    },
  },
  open: async (host, used) => (await import('./open.ts')).openBlueprints(host, used),
});
