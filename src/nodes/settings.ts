import type { HostOf, SettingsOf } from '../host/part.ts';
import { z } from 'zod';
import { N8N_VERSION, PINNED_N8N } from './which-n8n.ts';

/** Node catalogue: `version` applies if no n8n is connected; `build` says whether Sluice builds it by itself. */
const nodesSection = z.strictObject({
  version: z.string().regex(N8N_VERSION, `must be a full n8n version like ${PINNED_N8N}`).optional(),
  build: z.enum(['auto', 'manual']).default('auto'),
});

export const nodesSettings = { nodes: nodesSection.prefault({}) };

export type NodesConfig = SettingsOf<typeof nodesSettings>;

export type NodesHost = HostOf<typeof nodesSettings>;
