import { z } from 'zod';
import { mongodbTool } from '../tool.ts';

export const getServerInfo = mongodbTool({
  name: 'mongodb_get_server_info',
  title: 'Get server info',
  description:
    'Shows the version of the server, its role in the replica set, uptime, connections, memory, and what it has done since its start.',
  phrases:
    'which mongodb version; is the mongo server healthy; mongo server status; replica set members; mongo connections',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    role: z.string(),
    replica_set: z.string().optional(),
    members: z.array(z.string()).optional(),
    primary: z.string().optional(),
    storage_engine: z.string().optional(),
    uptime_seconds: z.number().optional(),
    connections: z.object({ current: z.number(), available: z.number() }).optional(),
    memory_megabytes: z.number().optional(),
    operations: z.record(z.string(), z.number()).optional(),
    note: z.string().optional(),
  }),
  async run(_, mongo, { signal }) {
    const server = mongo.server();
    const [{ version }, hello, status] = await Promise.all([
      mongo.run(server, { buildInfo: 1 }, signal),
      mongo.run(server, { hello: 1 }, signal),
      // It needs the role clusterMonitor.
      mongo.run(server, { serverStatus: 1 }, signal).catch(() => undefined),
    ]);
    const { setName, hosts, primary, msg } = hello as Record<string, unknown>;
    const { connections, mem, opcounters, storageEngine, uptime } = (status ?? {}) as {
      connections?: { current?: unknown; available?: unknown };
      mem?: { resident?: unknown };
      opcounters?: Record<string, unknown>;
      storageEngine?: { name?: string };
      uptime?: unknown;
    };
    const role = hello.isWritablePrimary === true ? 'primary' : 'secondary';
    return {
      version: String(version),
      role: msg === 'isdbgrid' ? 'mongos' : setName === undefined ? 'standalone' : role,
      ...(typeof setName === 'string' && { replica_set: setName }),
      ...(Array.isArray(hosts) && { members: hosts.slice(0, 50).map(String) }),
      ...(typeof primary === 'string' && { primary }),
      ...(storageEngine?.name !== undefined && { storage_engine: storageEngine.name }),
      ...(uptime !== undefined && { uptime_seconds: Number(uptime) }),
      ...(connections && {
        connections: { current: Number(connections.current), available: Number(connections.available) },
      }),
      ...(mem?.resident !== undefined && { memory_megabytes: Number(mem.resident) }),
      ...(opcounters && {
        operations: Object.fromEntries(
          Object.entries(opcounters).flatMap(([name, count]) =>
            Number.isFinite(Number(count)) ? [[name, Number(count)]] : [],
          ),
        ),
      }),
      ...(!status && { note: 'This user may not see the status of the server: give it the role clusterMonitor.' }),
    };
  },
});
