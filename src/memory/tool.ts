import { z } from 'zod';
import { toolsFor } from '../kernel/tool.ts';
import type { Memory } from './engine.ts';
import type { Namespaces } from './namespaces/namespaces.ts';
import type { MemoryService } from './service.ts';
import { iso } from './times.ts';

export interface OpenMemory {
  readonly memory: MemoryService;
  readonly namespaces: Namespaces;
}

/** What the memory tools may use. It is loaded on the first call. */
export interface MemoryDeps {
  open(): Promise<OpenMemory>;
}

export const memoryTool = toolsFor<MemoryDeps>({ category: 'memory' });

export const idInput = z.string().min(1).max(200).describe('Id of a memory');
export const namespaceInput = z.string().min(1).max(200).optional();
export const tagsInput = z.array(z.string().trim().min(1).max(200)).max(50).optional();
export const metadataInput = z.record(z.string(), z.unknown()).optional().describe('Any JSON object');
export const timeInput = z.string().max(100).optional();
export const ttlInput = z
  .union([z.string().max(50), z.number()])
  .optional()
  .describe('Erase it after this time: 30d, 12h, or seconds');

export const filterInput = {
  namespace: namespaceInput.describe('Only this namespace'),
  tags: tagsInput.describe('Only with all of these tags'),
  metadata: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Only with these values'),
  since: timeInput.describe('Recorded since: ISO time or 7d'),
  until: timeInput.describe('Recorded before'),
} as const;

export const memoryOutput = z.object({
  id: z.string(),
  namespace: z.string(),
  recorded_at: z.string(),
  valid_from: z.string().optional(),
  valid_to: z.string().optional(),
  expires_at: z.string().optional(),
  tags: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  pinned: z.boolean().optional(),
  supersedes: z.string().optional(),
  superseded_by: z.string().optional(),
  recalls: z.number().optional(),
  by: z
    .object({
      principal: z.string(),
      name: z.string().optional(),
      client: z.string().optional(),
      call: z.string(),
      imported_at: z.string().optional(),
      originally: z
        .record(z.string(), z.string())
        .optional()
        .describe('Who recorded it first, as the imported file says'),
    })
    .optional(),
});

/** A memory without its text. Leaves out what is as usual. */
export function shownMemory(memory: Memory, { full = false } = {}): z.infer<typeof memoryOutput> {
  const { id, namespace, recordedAt, validFrom, validTo, expiresAt, tags, metadata, pinned } = memory;
  return {
    id,
    namespace,
    recorded_at: iso(recordedAt),
    ...(validFrom !== recordedAt && { valid_from: iso(validFrom) }),
    ...(validTo !== undefined && { valid_to: iso(validTo) }),
    ...(expiresAt !== undefined && { expires_at: iso(expiresAt) }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(pinned && { pinned }),
    ...(memory.supersedes !== undefined && { supersedes: memory.supersedes }),
    ...(memory.supersededBy !== undefined && { superseded_by: memory.supersededBy }),
    ...(full && { recalls: memory.recalls, by: { ...memory.by } }),
  };
}

/** What a new text has in common with memories that are there. */
export const nearOutput = {
  duplicate_of: z.string().optional().describe('Id of a memory that says the same'),
  contradicts: z
    .array(z.object({ id: z.string(), text: z.string(), why: z.string() }))
    .optional()
    .describe('Memories that say otherwise: update or forget them if they are outdated'),
};
