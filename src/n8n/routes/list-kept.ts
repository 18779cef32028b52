import { askedIn } from '../../kernel/described.ts';
import { AppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import { byFolder } from '../backups/backup-id.ts';
import type { Backups, Found } from '../backups/backups.ts';
import type { BackupSettings } from '../backups/settings.ts';
import type { N8nClient } from '../client/client.ts';
import { isGenerated } from '../generated.ts';
import { type BackupRoutesDeps, connectedFor, fresh } from './deps.ts';
import { type Kept, keptQuery } from './shapes.ts';

const AT_ONCE = 32;

/** GET /api/v1/n8n/backups */
export async function listKept(deps: BackupRoutesDeps, { request, principal }: RouteRequest): Promise<Response> {
  const { instance } = askedIn(keptQuery, request);
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
  const body: Kept = {
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
  return fresh(deps, body);
}

interface Present {
  readonly name: string;
  readonly isArchived: boolean;
}

async function presentIn(client: N8nClient, signal: AbortSignal): Promise<Map<string, Present>> {
  const found = new Map<string, Present>();
  for await (const one of client.workflows.all({}, signal))
    if (!isGenerated(one)) found.set(one.id, { name: one.name, isArchived: one.isArchived ?? false });
  return found;
}

function placesOf({ keep, days, directory, git, s3 }: BackupSettings): Pick<Kept, 'disk' | 's3'> {
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
): Promise<Kept['workflows']> {
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
  const rank = ({ state }: Kept['workflows'][number]) => Number(state !== 'deleted');
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
