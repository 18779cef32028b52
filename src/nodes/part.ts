import { embedderPart } from '../embedder/part.ts';
import { ownSource } from '../host/config/claims.ts';
import { part } from '../host/part.ts';
import { nodesMigrations } from './asked/migrations.ts';
import { nodesSettings } from './settings.ts';
import type { Nodes } from './open.ts';

const uses = { embedder: embedderPart };

/** Knowledge of n8n's nodes. */
export const nodesPart = part<Nodes, typeof nodesSettings, typeof uses>({
  uses,
  settings: nodesSettings,
  migrations: nodesMigrations,
  claims: () => [ownSource('nodes')],
  tools: async () => (await import('./own-source.ts')).nodesTools,
  open: async (host, used) => (await import('./open.ts')).openNodes(host, used),
});
