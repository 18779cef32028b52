import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { clusterAnswer, collectionsAnswer, telemetryAnswer } from '../answers.ts';
import { isOwnName } from '../collection.ts';
import { qdrantTool } from '../tool.ts';

export const getStatus = qdrantTool({
  name: 'qdrant_get_status',
  title: 'Get status',
  description: 'The server itself: version, start, cores and memory, collections, cluster.',
  phrases: 'version of qdrant; is qdrant healthy; how many nodes does the cluster have; since when does qdrant run',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    collections: z.int().describe('That may be used'),
    started: z.string().optional(),
    cores: z.number().optional(),
    ram_mb: z.number().optional(),
    cluster: z.string().optional(),
    peers: z.int().optional(),
    role: z.string().optional(),
    pending_operations: z.number().optional(),
    not_offered: z.array(z.string()).optional().describe('What this key may not see'),
  }),
  async run(_, qdrant, { signal }, progress) {
    const missing: string[] = [];
    /** Keys with few rights may not see everything. */
    const ask = async <T>(type: z.ZodType<T>, path: string, query = {}): Promise<T | undefined> => {
      try {
        return await qdrant.ask(type, path, { query, signal, progress });
      } catch (error) {
        if (!(error instanceof AppError) || (error.code !== 'unsupported' && !/\(HTTP 403\)/.test(error.message)))
          throw error;
        missing.push(path);
        return undefined;
      }
    };
    const [{ version }, { collections }, cluster, telemetry] = await Promise.all([
      qdrant.version({ signal, progress }),
      qdrant.ask(collectionsAnswer, '/collections', { signal, progress }),
      ask(clusterAnswer, '/cluster'),
      // Without details it says nothing about the machine.
      ask(telemetryAnswer, '/telemetry', { details_level: 1 }),
    ]);
    const { startup, system } = telemetry?.app ?? {};
    const raft = cluster?.raft_info;
    return {
      version: version.slice(0, 60),
      collections: collections.filter(({ name }) => qdrant.collections.has(name) && !isOwnName(name)).length,
      ...(startup != null && { started: startup.slice(0, 40) }),
      ...(system?.cores != null && { cores: system.cores }),
      ...(system?.ram_size != null && { ram_mb: Math.round(system.ram_size / 1024) }),
      ...(cluster && { cluster: cluster.status.slice(0, 40) }),
      ...(cluster?.peers && { peers: Object.keys(cluster.peers).length }),
      ...(raft?.role != null && { role: raft.role.slice(0, 40) }),
      ...(raft?.pending_operations != null && { pending_operations: raft.pending_operations }),
      ...(missing.length > 0 && { not_offered: missing }),
    };
  },
});
