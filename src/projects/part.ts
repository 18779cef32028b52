import { gatewayPart } from '../gateway/part.ts';
import { yieldingSource } from '../host/config/claims.ts';
import { part } from '../host/part.ts';
import { projectMigrations } from './migrations.ts';
import { projectSettings } from './settings.ts';

const uses = { gateway: gatewayPart };

/** Projects: what belongs together under one name, with one status over all of it. */
export const projectsPart = part<undefined, typeof projectSettings, typeof uses>({
  uses,
  settings: projectSettings,
  migrations: projectMigrations,
  claims: ({ projects }) => (projects === false ? [] : [yieldingSource('project')]),
  tools: async () => (await import('./tools.ts')).projectTools,
  open: async (host, used) => (await import('./open.ts')).openProjects(host, used),
});
