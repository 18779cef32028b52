import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Vault } from './connection.ts';
import { codeOf, type Place, requestPath } from './kv.ts';

const answer = z.object({
  data: z.object({
    current_version: z.int(),
    oldest_version: z.int().optional(),
    max_versions: z.int().optional(),
    cas_required: z.boolean().optional(),
    delete_version_after: z.string().optional(),
    created_time: z.string().optional(),
    updated_time: z.string().optional(),
    custom_metadata: z.record(z.string(), z.string()).nullish(),
    versions: z.record(
      z.string(),
      z.object({
        created_time: z.string().optional(),
        deletion_time: z.string().optional(),
        destroyed: z.boolean().optional(),
      }),
    ),
  }),
});

export type Metadata = z.output<typeof answer>['data'];

/** What KV version 2 keeps about a secret and its versions. */
export async function readMetadata(vault: Vault, place: Place, signal: AbortSignal): Promise<Metadata> {
  try {
    return (await vault.ask(answer, requestPath(place, 'metadata'), { signal })).data;
  } catch (error) {
    if (codeOf(error) !== 'not_found') throw error;
    throw new AppError('not_found', `There is no secret ${place.path}. vault_list_secrets shows the names.`, {
      cause: error,
    });
  }
}

export type State = 'current' | 'kept' | 'deleted' | 'destroyed';

/** All versions, the newest first. */
export function versionsIn({ versions, current_version }: Metadata, now = Date.now()) {
  return Object.entries(versions)
    .map(([number, { created_time, deletion_time = '', destroyed = false }]) => {
      const version = Number(number);
      // A time in the future is when delete_version_after removes it.
      const isDeleted = deletion_time !== '' && Date.parse(deletion_time) <= now;
      const kept: State = version === current_version ? 'current' : 'kept';
      const state: State = destroyed ? 'destroyed' : isDeleted ? 'deleted' : kept;
      return { version, state, created: created_time, deletion: deletion_time === '' ? undefined : deletion_time };
    })
    .sort((a, b) => b.version - a.version);
}

/** The versions of this list that there are. Throws if one is missing, so that a mistake does not pass for success. */
export function namedVersions(place: Place, metadata: Metadata, wanted: readonly number[] | undefined) {
  const all = versionsIn(metadata);
  const numbers = [...new Set(wanted ?? [metadata.current_version])].sort((a, b) => a - b);
  return numbers.map((number) => {
    const found = all.find(({ version }) => version === number);
    if (found) return found;
    throw new AppError(
      'not_found',
      `${place.path} has no version ${number}. It has ${all.map(({ version }) => version).join(', ') || 'none'}; vault_list_versions shows them.`,
    );
  });
}
