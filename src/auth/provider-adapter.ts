import { hash } from 'node:crypto';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { OAuthRecord, OAuthRecords } from '../store/store.ts';
import type { Seal } from '../kernel/seal.ts';

const DAY = 24 * 3_600_000;
/** Anyone may register a client. One that never got access is deleted after a day, or sooner if there are too many. */
const UNUSED_CLIENT = DAY;
/** Anyone may open the sign-in page as well. When there are too many, the oldest visits are dropped. */
const MOST: Readonly<Record<string, number>> = { Client: 5000, Interaction: 10_000 };
/** A client with access is kept as long as its grant, and 30 days longer so that it can ask again. */
const AFTER_GRANT = 30 * DAY;

/** The store holds hashes of ids and tokens, so that its readers find no usable token. */
export function storedId(id: string): string {
  return hash('sha256', id, 'base64url');
}

/** Keeps the records of the authorization server in the store. Throws `used()` when a code or token is used twice. */
export function createAdapters(records: OAuthRecords, seal: Seal, used: () => Error): AdapterFactory {
  return (kind): Adapter => {
    function read(record: OAuthRecord | undefined, id?: string): AdapterPayload | undefined {
      if (!record) return undefined;
      const payload = JSON.parse(seal.open(record.payload, kind)) as AdapterPayload;
      return {
        ...payload,
        ...(id !== undefined && kind !== 'Client' && { jti: id }),
        ...(record.consumed !== undefined && { consumed: Math.floor(record.consumed / 1000) }),
      };
    }

    return {
      async upsert(id, payload, expiresIn) {
        const { jti, ...rest } = payload;
        // A session is also looked up by its uid, when its id is not known: keep the id in the payload.
        const kept = kind === 'Session' ? { ...rest, jti } : rest;
        const most = MOST[kind];
        if (most !== undefined && (await records.count(kind)) >= most) await records.deleteNext(kind);
        const expires = kind === 'Client' ? Date.now() + UNUSED_CLIENT : expiryOf(expiresIn);
        await records.put(kind, storedId(id), {
          payload: seal.seal(JSON.stringify(kept), kind),
          ...(expires !== undefined && { expires }),
          ...(kind === 'Session' && typeof payload.uid === 'string' && { uid: storedId(payload.uid) }),
          ...(payload.grantId !== undefined && { grant: storedId(payload.grantId) }),
        });
        if (kind === 'Grant' && payload.clientId !== undefined && expires !== undefined)
          await records.extend('Client', storedId(payload.clientId), expires + AFTER_GRANT);
      },
      async find(id) {
        return read(await records.find(kind, storedId(id)), id);
      },
      async findByUid(uid) {
        return read(await records.findByUid(kind, storedId(uid)));
      },
      async findByUserCode() {
        return undefined;
      },
      async consume(id) {
        if (!(await records.consume(kind, storedId(id), Date.now()))) throw used();
      },
      async destroy(id) {
        await records.delete(kind, storedId(id));
      },
      async revokeByGrantId(grantId) {
        await records.deleteGrant(storedId(grantId));
      },
    };
  };
}

function expiryOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Date.now() + seconds * 1000;
}
