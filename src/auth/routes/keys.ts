import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { inputWords } from '../../kernel/input-words.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import type { Keys, StoredKey } from '../../store/store.ts';
import { readObject } from '../../wire/json-body.ts';
import { confirmations, readGrant } from '../grant.ts';
import { createKey, revokeKey } from '../keys.ts';
import { whyNotGrant } from '../may-grant.ts';
import { assertMayChange } from './assert-may-change.ts';
import type { AuthRoutesDeps } from './deps.ts';

/** A revoked key stays in the store; these are enough to see what was revoked lately. */
const MOST_REVOKED = 100;
const MOST_KEYS = 1000;
const MOST_IN_LIST = 100;
/** Whoever revokes their own key gets the answer first: everything else that it has open is closed. */
const OWN_ANSWER_MS = 50;

const texts = z.array(z.string().max(200)).max(MOST_IN_LIST);

const newKey = z.strictObject({
  name: z.string(),
  scopes: texts.optional(),
  tools: texts.optional(),
  expires: z.string().max(100).optional(),
  readOnly: z.boolean().optional(),
  confirm: z.enum(confirmations).optional(),
  rate: z.string().max(100).optional(),
});

export async function listKeys({ settings, store, uses }: AuthRoutesDeps): Promise<object> {
  const { mode, token } = settings();
  const [all, last] = await Promise.all([store.keys.list(), uses.last()]);
  const working = all.filter(({ revokedAt }) => revokedAt === undefined);
  const revoked = all.filter(({ revokedAt }) => revokedAt !== undefined).toReversed();
  const shown = [...working.toReversed(), ...revoked.slice(0, MOST_REVOKED)];
  return {
    mode,
    asksForKeys: mode === 'keys' || mode === 'both',
    token: token !== undefined,
    keys: shown.map((key) => shownKey(key, last.get(key.id), Date.now())),
    ...(revoked.length > MOST_REVOKED && { olderRevoked: revoked.length - MOST_REVOKED }),
  };
}

function shownKey({ id, grant, revokedAt }: StoredKey, usedAt: string | undefined, now: number): object {
  const isOver = grant.expiresAt !== undefined && Date.parse(grant.expiresAt) <= now;
  return {
    id,
    ...grant,
    state: revokedAt !== undefined ? 'revoked' : isOver ? 'expired' : 'works',
    ...(usedAt !== undefined && { usedAt }),
    ...(revokedAt !== undefined && { revokedAt }),
  };
}

export async function makeKey(deps: AuthRoutesDeps, { request, principal }: RouteRequest): Promise<object> {
  assertMayChange(principal);
  const { store, events } = deps;
  const parsed = newKey.safeParse(await readObject(request), { error: inputWords });
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw new AppError('invalid_input', `No key was made: ${problems.join('; ').replace(/\.?$/, '.')}`);
  }
  const grant = readGrant(parsed.data, principal.id, new Date());
  if ('field' in grant) throw new AppError('invalid_input', `${grant.field} ${grant.message}.`);
  const refused = whyNotGrant(principal, await endOf(principal, store.keys), grant);
  if (refused !== undefined) throw new AppError('forbidden', refused);
  const { length } = (await store.keys.list()).filter(({ revokedAt }) => revokedAt === undefined);
  if (length >= MOST_KEYS)
    throw new AppError('conflict', `There are ${length} keys already. Revoke those that nobody uses.`);
  const { id, key } = await createKey(store.keys, grant);
  const { name, scopes } = grant;
  events.record({ type: 'key.created', key: id, name, scopes: [...scopes], principal: principal.id });
  return { id, key, ...grant };
}

/** When the key of whoever asks expires. */
async function endOf({ id }: Principal, keys: Keys): Promise<string | undefined> {
  if (!id.startsWith('key:')) return undefined;
  return (await keys.list()).find((one) => `key:${one.id}` === id)?.grant.expiresAt;
}

export async function endKey(deps: AuthRoutesDeps, { params, principal }: RouteRequest): Promise<object> {
  assertMayChange(principal);
  const { store, events } = deps;
  const wanted = params.id ?? '';
  // By id only: a name may stand for another key by now.
  if (!(await store.keys.list()).some(({ id }) => id === wanted))
    throw new AppError('not_found', 'No key has this id. GET /api/v1/keys shows the keys.');
  const { id, grant } = await revokeKey(store.keys, wanted, new Date());
  events.record({ type: 'key.revoked', key: id, name: grant.name, principal: principal.id });
  if (principal.id === `key:${id}`) setTimeout(() => void deps.revoked(), OWN_ANSWER_MS).unref();
  else await deps.revoked();
  return { id, name: grant.name };
}
