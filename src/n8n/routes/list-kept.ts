import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import { byFolder } from '../backups/backup-id.ts';
import type { Backups, Found } from '../backups/backups.ts';
import { wheres } from '../backups/place.ts';
import type { BackupSettings } from '../backups/settings.ts';
import type { N8nClient } from '../client/client.ts';
import { isGenerated } from '../generated.ts';
import { type BackupRoutesDeps, connectedFor } from './deps.ts';
import { fresh, queryIn, readOperation } from './operation.ts';

const AT_ONCE = 32;

const query = z.strictObject({
  instance: z.string().optional().describe('Which n8n. Default: the one called default, or the only one'),
});

const limits = { keep: z.number().describe('Automatic backups of each workflow'), days: z.number().optional() };

const answer = z.object({
  instance: z.string(),
  disk: z
    .object({ directory: z.string(), git: z.string().optional().describe('One file for each workflow'), ...limits })
    .optional()
    .describe('Absent with backups.s3.mode only'),
  s3: z
    .object({
      mode: z.enum(['copy', 'required', 'only']),
      endpoint: z.string().optional(),
      bucket: z.string(),
      prefix: z.string(),
      ...limits,
    })
    .optional(),
  whole: z.array(z.object({ id: z.string(), taken: z.string(), bytes: z.number(), where: z.array(z.enum(wheres)) })),
  workflows: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      state: z.enum(['present', 'archived', 'deleted', 'unknown']).describe('unknown: n8n could not be asked'),
      backups: z.number(),
      newest: z.object({ id: z.string(), taken: z.string() }),
    }),
  ),
  notes: z.array(z.string()).describe('What could not be read, and why'),
});

type Answer = z.output<typeof answer>;

export const listKeptOperation = () =>
  readOperation(
    {
      operationId: 'n8nBackups',
      summary: 'Which backups of an n8n there are, where, and for how long',
      description: 'Deleted workflows come first. The tool n8n_list_backups lists the backups of one workflow.',
    },
    query,
    answer,
  );

/** GET /api/v1/n8n/backups */
export async function listKept(deps: BackupRoutesDeps, { request, principal }: RouteRequest): Promise<Response> {
  const { instance } = queryIn(request, query);
  const { instances, backups } = await connectedFor(deps, principal, 'n8n_list_backups');
  const client = instances.get(instance);
  const notes: string[] = [];
  const noted = (what: string, error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    notes.push(`${what}: ${error.message}`);
  };
  const [present, whole, single] = await Promise.all([
    presentIn(client, request.signal).catch((error: unknown) => noted('Which workflows n8n has is not known', error)),
    backups.list({ instance: client.name }, 'instance'),
    backups.list({ instance: client.name }),
  ]);
  if (whole.unasked !== undefined) notes.push(`Only the backups on disk are listed: ${whole.unasked}`);
  const body: Answer = {
    instance: client.name,
    ...placesOf(deps.settings()),
    whole: await each(
      whole.found,
      async (one) => {
        const { id, taken, bytes } = await backups.wholeNote(one);
        return { id, taken, bytes, where: [...one.where] };
      },
      noted,
    ),
    workflows: await workflowsIn(single.found, present ?? undefined, backups, noted),
    notes,
  };
  return fresh(JSON.parse(deps.redact(JSON.stringify(body))));
}

interface Present {
  readonly name: string;
  readonly isArchived: boolean;
}

async function presentIn(client: N8nClient, signal: AbortSignal): Promise<Map<string, Present>> {
  const found = new Map<string, Present>();
  for await (const one of client.workflows.all({}, signal))
    if (!isGenerated(one)) found.set(one.id, { name: one.name, isArchived: one.isArchived === true });
  return found;
}

function placesOf({ keep, days, directory, git, s3 }: BackupSettings): Pick<Answer, 'disk' | 's3'> {
  return {
    ...(s3?.mode !== 'only' && {
      disk: { directory, ...(git !== undefined && { git }), keep, ...(days !== undefined && { days }) },
    }),
    ...(s3 && {
      s3: {
        mode: s3.mode,
        ...(s3.endpoint !== undefined && { endpoint: s3.endpoint }),
        bucket: s3.bucket,
        prefix: s3.prefix,
        keep: s3.keep,
        ...(s3.days !== undefined && { days: s3.days }),
      },
    }),
  };
}

type Noted = (what: string, error: unknown) => void;

/** One row for each workflow that has backups. */
async function workflowsIn(
  found: readonly Found[],
  present: ReadonlyMap<string, Present> | undefined,
  backups: Backups,
  noted: Noted,
): Promise<Answer['workflows']> {
  const byId = new Map(found.map((one) => [one.id, one]));
  const folders = [...byFolder(found.map(({ id }) => id)).values()];
  const rows = await each(
    folders,
    async ([first = '', ...others]) => {
      const { workflow, name, taken } = await backups.note(byId.get(first) as Found);
      const known = present?.get(workflow);
      const state = !present ? 'unknown' : !known ? 'deleted' : known.isArchived ? 'archived' : 'present';
      return {
        id: workflow,
        name: known?.name ?? name,
        state,
        backups: others.length + 1,
        newest: { id: first, taken },
      } as const;
    },
    noted,
  );
  const rank = ({ state }: Answer['workflows'][number]) => Number(state !== 'deleted');
  return rows.sort((a, b) => rank(a) - rank(b) || (a.newest.taken < b.newest.taken ? 1 : -1));
}

/** Some at a time. One that cannot be read must not hide the others. */
async function each<T, R>(items: readonly T[], read: (item: T) => Promise<R>, noted: Noted): Promise<R[]> {
  const done: R[] = [];
  let failed = 0;
  let why: unknown;
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const ends = await Promise.allSettled(items.slice(at, at + AT_ONCE).map(read));
    for (const end of ends) {
      if (end.status === 'fulfilled') done.push(end.value);
      else if (!(end.reason instanceof AppError)) throw end.reason;
      // One that was just pruned is no news.
      else if (end.reason.code !== 'not_found') [failed, why] = [failed + 1, why ?? end.reason];
    }
  }
  if (failed > 0) noted(`${failed} of the backups could not be read`, why);
  return done;
}
