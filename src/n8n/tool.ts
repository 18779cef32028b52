import { toolsFor } from '../kernel/tool.ts';
import type { Catalogues } from '../nodes/catalogue.ts';
import type { Backups } from './backups/backups.ts';
import type { Instances } from './instances.ts';
import type { ValidationSettings } from './validation/settings.ts';

/** What the tools for n8n may use. */
export interface N8nDeps {
  readonly instances: Instances;
  readonly backups: Backups;
  readonly catalogues: Catalogues;
  /** How the validator is set up; as usual unless told. */
  readonly validation?: () => ValidationSettings;
}

export const n8nTool = toolsFor<N8nDeps>();
