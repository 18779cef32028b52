import type { HostOf } from '../host/part.ts';
import { z } from 'zod';

/** What is known of n8n's nodes: of which n8n where none is connected, and whether it is built without being asked. */
const nodesSection = z.strictObject({
  version: z
    .string()
    .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/, 'must be a version of n8n in full, such as 2.41.1')
    .optional(),
  build: z.enum(['auto', 'manual']).default('auto'),
});

export const nodesSettings = { nodes: nodesSection.prefault({}) };

export type NodesHost = HostOf<typeof nodesSettings>;
