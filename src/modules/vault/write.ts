import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Vault } from './connection.ts';
import { codeOf, type Place, readSecret, requestPath } from './kv.ts';
import { isInexact, merged } from './values.ts';

type Values = Readonly<Record<string, unknown>>;

export interface Wanted {
  readonly values: Values;
  readonly merge: boolean;
  /** The version that it replaces; 0 if there must be none. */
  readonly cas?: number | undefined;
  readonly signal: AbortSignal;
}

const written = z.object({ data: z.object({ version: z.int() }) });

/** Writes a version of a secret, and returns its number. Without `cas`, it only creates. */
export async function writeVersion(
  vault: Vault,
  place: Place,
  { values, merge, cas, signal }: Wanted,
): Promise<number> {
  if (merge) return await mergeVersion(vault, place, { values, cas, signal });
  const body = { data: values, options: { cas: cas ?? 0 } };
  try {
    const { data } = await vault.ask(written, requestPath(place, 'data'), { method: 'POST', body, signal });
    return data.version;
  } catch (error) {
    if (codeOf(error) !== 'conflict' || cas !== undefined) throw error;
    throw new AppError(
      'conflict',
      `There is a secret ${place.path} already, and nothing was written. To replace it, pass its version as cas (vault_read_secret shows it); to change some keys only, pass merge: true.`,
      { cause: error },
    );
  }
}

type Merge = Omit<Wanted, 'merge'>;

async function mergeVersion(vault: Vault, place: Place, { values, cas, signal }: Merge): Promise<number> {
  const body = { data: values, ...(cas !== undefined && { options: { cas } }) };
  const headers = { 'content-type': 'application/merge-patch+json' };
  try {
    const asked = { method: 'PATCH', body, headers, signal } as const;
    return (await vault.ask(written, requestPath(place, 'data'), asked)).data.version;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'not_found') throw nothingToMerge(place, error);
    // Vault before 1.9 cannot patch, and a policy may lack it. Then Sluice merges, and cas guards the time in between.
    if (code !== 'forbidden' && code !== 'unsupported') throw error;
  }
  const { data, version = 0 } = await readSecret(vault, place, { signal });
  const whole = mergedExactly(place, data, values);
  return await writeVersion(vault, place, { values: whole, merge: false, cas: cas ?? version, signal });
}

/** Writes to KV version 1, which has neither versions nor check-and-set. */
export async function writeOnly(
  vault: Vault,
  place: Place,
  { values, merge, overwrite, signal }: Omit<Wanted, 'cas'> & { readonly overwrite: boolean },
): Promise<void> {
  const before = overwrite && !merge ? undefined : await currentValues(vault, place, signal);
  if (merge && !before) throw nothingToMerge(place);
  if (before && !merge)
    throw new AppError(
      'conflict',
      `There is a secret ${place.path} already, and nothing was written. ${place.mount.path}/ keeps no versions: what is replaced is lost. Pass overwrite: true to replace it, or merge: true to change some keys only.`,
    );
  const body = before ? mergedExactly(place, before, values) : values;
  await vault.ask(z.unknown(), requestPath(place, 'data'), { method: 'POST', body, signal });
}

/** Refuses to write back what was not read exactly. */
function mergedExactly({ path }: Place, before: Values, values: Values): Values {
  if (!isInexact(before)) return merged(before, values);
  throw new AppError(
    'unsupported',
    `${path} has a number with more digits than Sluice keeps, and nothing was written. Give the token the capability patch, or store the number as a text.`,
  );
}

async function currentValues(vault: Vault, place: Place, signal: AbortSignal): Promise<Values | undefined> {
  try {
    return (await readSecret(vault, place, { signal })).data;
  } catch (error) {
    if (codeOf(error) === 'not_found') return undefined;
    throw error;
  }
}

const nothingToMerge = ({ path }: Place, cause?: unknown): AppError =>
  new AppError('not_found', `There is no secret ${path} to merge into. Leave merge out to create it.`, { cause });
