import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { workflowShape } from '../client/shapes.ts';
import type { WholeContents } from './backups.ts';
import { parsed, verified } from './sealed.ts';
import { tablesIn } from './table-lines.ts';
import { linesOf, wholeIn } from './whole-instance.ts';

const tagsShape = z.array(z.looseObject({ name: z.string() }));
const credentialsShape = z.array(z.looseObject({ name: z.string(), type: z.string() }));

/** Reads the backup twice, line by line: it may be larger than memory. `content` begins anew each time. */
export async function contentsOf(id: string, content: () => AsyncIterable<Buffer>): Promise<WholeContents> {
  let head: Record<string, unknown> | undefined;
  let [tags, credentials]: [unknown, unknown] = [[], []];
  let isWorkflows = false;
  const workflows: WholeContents['workflows'][number][] = [];
  for await (const line of linesOf(verified(id, content()))) {
    if (!head) head = parsed(`${line.slice(0, -1)}}`) ?? {};
    else if (line.startsWith('"tags":')) tags = parsed(`{${line.slice(0, -1)}}`)?.tags;
    else if (line.startsWith('"credentials":')) credentials = parsed(`{${line.slice(0, -1)}}`)?.credentials;
    else if (line === '"workflows":[') isWorkflows = true;
    else if (isWorkflows) {
      // A workflow is an object, so a bracket after it ends the list.
      isWorkflows = !line.endsWith('],');
      const one = workflowShape.safeParse(parsed(line.slice(0, isWorkflows ? -1 : -2))).data;
      if (one)
        workflows.push({
          id: one.id,
          name: one.name,
          active: one.active,
          archived: one.isArchived ?? false,
          nodes: one.nodes.length,
        });
    }
  }
  const about = head && wholeIn(head);
  if (!about) throw new AppError('conflict', `${shown(id)} is not the backup of a whole n8n.`);
  const { tables } = await tablesIn(verified(id, content()));
  return {
    id,
    ...about,
    workflows: workflows.sort((a, b) => (a.name < b.name ? -1 : 1)),
    tags: (tagsShape.safeParse(tags).data ?? []).map(({ name }) => name).sort(),
    credentials: (credentialsShape.safeParse(credentials).data ?? []).map(({ name, type }) => ({ name, type })),
    dataTables: tables.map(({ table, count }) => ({ id: table.id, name: table.name, rows: count })),
  };
}
