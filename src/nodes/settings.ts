import type { HostOf, SettingsOf } from '../host/part.ts';
import { z } from 'zod';
import { N8N_VERSION, PINNED_N8N } from './which-n8n.ts';

/** What is known of n8n's nodes: of which n8n where none is connected, and whether it is built without being asked. */
const nodesSection = z.strictObject({
  version: z.string().regex(N8N_VERSION, `must be a version of n8n in full, such as ${PINNED_N8N}`).optional(),
  build: z.enum(['auto', 'manual']).default('auto'),
});

export const nodesSettings = { nodes: nodesSection.prefault({}) };

export type NodesConfig = SettingsOf<typeof nodesSettings>;

export type NodesHost = HostOf<typeof nodesSettings>;
