import { randomBytes } from 'node:crypto';
import type { Store, StoreOptions } from '../store.ts';
import type { Session } from './connection.ts';
import { refuse } from './seal.ts';

/** Secrets that encrypt what is stored, or that are written into n8n: made-up ones would do harm there. */
const NEVER_MADE_UP = ['oauth.', 'bridge.owner', 'bridge.header.'];
const NAMED = 10;

/**
 * The store of a process without its key. It leaves out what it cannot open and says so, encrypts nothing, and leads no
 * background work: signatures and webhook ids come from secrets, and would differ from those of the other replicas.
 */
export async function lockedStore(
  store: Store,
  session: Session,
  locked: string,
  { standIns = false }: Pick<StoreOptions, 'standIns'> = {},
): Promise<Store> {
  const madeUp = new Map<string, Buffer>();
  let unopened = await findUnopened(session);

  async function refused(): Promise<never> {
    return refuse(locked);
  }

  return {
    ...store,
    servers: {
      ...store.servers,
      async list() {
        unopened = await findUnopened(session);
        return [];
      },
      put: refused,
    },
    settings: {
      ...store.settings,
      async secret(key) {
        if (!standIns || NEVER_MADE_UP.some((start) => key.startsWith(start))) return await refused();
        const known = madeUp.get(key) ?? randomBytes(32);
        madeUp.set(key, known);
        return known;
      },
    },
    logins: { ...store.logins, put: refused, putClient: refused },
    oauth: { ...store.oauth, put: refused },
    shared: {
      ...store.shared,
      get peers() {
        return store.shared.peers;
      },
      lead: () => ({ async [Symbol.asyncDispose]() {} }),
    },
    trouble() {
      const worse = store.trouble();
      if (worse?.state === 'failing') return worse;
      return {
        state: 'degraded',
        message: `${locked} Until then it does without ${unopened}, and leads no background work.`,
      };
    },
  };
}

async function findUnopened(session: Session): Promise<string> {
  const servers = await session.rows<{ name: string }>('SELECT name FROM servers ORDER BY name');
  const logins = await session.rows<{ name: string }>('SELECT DISTINCT resource AS name FROM logins ORDER BY resource');
  const [secrets] = await session.rows<{ count: number }>('SELECT count(*) AS count FROM secrets');
  const parts = [
    ...(servers.length > 0 ? [`the added ${counted(servers.length, 'server')} ${listed(servers)}`] : []),
    ...(logins.length > 0 ? [`the ${counted(logins.length, 'login')} at ${listed(logins)}`] : []),
    counted(secrets?.count ?? 0, 'secret', true),
  ];
  return parts.join(', ');
}

const counted = (count: number, what: string, withNumber = false): string =>
  `${withNumber ? `${count} ` : ''}${what}${count === 1 ? '' : 's'}`;

function listed(rows: readonly { name: string }[]): string {
  const names = rows.slice(0, NAMED).map(({ name }) => name);
  const more = rows.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
