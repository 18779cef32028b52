import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shownDocument } from '../shown-document.ts';
import { mongodbTool, shownFields } from '../tool.ts';

const MOST = 100;

interface Operation {
  readonly opid?: number | string;
  readonly op?: string;
  readonly ns?: string;
  readonly microsecs_running?: unknown;
  readonly secs_running?: unknown;
  readonly waitingForLock?: boolean;
  readonly planSummary?: string;
  readonly appName?: string;
  readonly command?: object;
}

export const listOperations = mongodbTool({
  name: 'mongodb_list_operations',
  title: 'List operations',
  description:
    'Lists what the server is doing for this user right now, the longest first: queries with their time, plan and whether they wait for a lock.',
  phrases: 'what is mongo doing right now; running queries in mongodb; long running operations; current operations',
  effect: 'read',
  input: z.strictObject({
    seconds: z.number().min(0).max(86_400).default(0).describe('Only those that have run at least this long'),
  }),
  output: z.object({
    operations: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        collection: z.string(),
        seconds: z.number(),
        waits_for_lock: z.boolean(),
        plan: z.string().optional(),
        application: z.string().optional(),
        command: shownFields.optional(),
      }),
    ),
    more: z.int().optional(),
  }),
  async run({ seconds }, mongo) {
    const cursor = mongo
      .server()
      .aggregate<Operation>([
        { $currentOp: { allUsers: false, idleConnections: false } },
        { $match: { active: true, op: { $ne: 'none' }, 'command.aggregate': { $ne: 1 } } },
        { $sort: { microsecs_running: -1 } },
        { $limit: MOST },
      ]);
    const all = (await cursor.toArray()).flatMap((operation) => {
      const [database = '', ...collection] = (operation.ns ?? '').split('.');
      if (!mongo.access.hasCollection(database, collection.join('.'))) return [];
      const running = Number(operation.microsecs_running ?? 0) / 1e6 || Number(operation.secs_running ?? 0);
      if (running < seconds) return [];
      // The session and the cluster's time, which say nothing to a reader.
      const { lsid: _, $clusterTime: __, $db: ___, ...command } = (operation.command ?? {}) as Record<string, unknown>;
      return [
        {
          id: String(operation.opid ?? ''),
          kind: operation.op ?? '',
          collection: operation.ns ?? '',
          seconds: running,
          waits_for_lock: operation.waitingForLock ?? false,
          ...(operation.planSummary !== undefined && { plan: operation.planSummary.slice(0, 200) }),
          ...(operation.appName !== undefined && { application: operation.appName.slice(0, 100) }),
          command: shownDocument(command, 800).value,
        },
      ];
    });
    const shown = all.slice(0, fittingItems(all, { more: MOST }));
    return { operations: shown, ...(shown.length < all.length && { more: all.length - shown.length }) };
  },
});
