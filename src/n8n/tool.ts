import { toolsFor } from '../kernel/tool.ts';
import type { Backups } from './backups/backups.ts';
import type { Instances } from './instances.ts';

/** What the tools for n8n may use. */
export interface N8nDeps {
  readonly instances: Instances;
  readonly backups: Backups;
}

export const n8nTool = toolsFor<N8nDeps>();
