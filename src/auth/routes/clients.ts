import { AppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import { createSeal, type Seal } from '../../kernel/seal.ts';
import type { OAuthRecord } from '../../store/store.ts';
import { shownName } from '../client-metadata.ts';
import { storedId } from '../provider-adapter.ts';
import { signsIn } from '../settings.ts';
import { assertMayChange } from './assert-may-change.ts';
import type { AuthRoutesDeps } from './deps.ts';

const MOST = 5000;

/** What the authorization server stores, as far as it is shown. */
interface Payload {
  readonly clientId?: string;
  readonly client_id?: string;
  readonly client_name?: string;
  readonly redirect_uris?: readonly string[];
  readonly grantId?: string;
  readonly iat?: number;
  readonly resources?: Readonly<Record<string, string>>;
}

interface Found extends OAuthRecord {
  readonly id: string;
  readonly payload: string;
}

interface Grant {
  readonly scopes: readonly string[];
  readonly since?: string;
  readonly expires?: string;
}

interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirects: readonly string[];
  readonly since?: string;
  /** When it got its newest token: tokens hold for an hour. */
  readonly usedAt?: string;
  readonly grants: readonly Grant[];
}

interface Everything {
  readonly clients: readonly Client[];
  /** The stored ids of its grants, by the id of the client. */
  readonly grants: ReadonlyMap<string, readonly string[]>;
  /** Registered without ever getting access: anybody may register. */
  readonly without: number;
}

export async function listClients(deps: AuthRoutesDeps): Promise<object> {
  const { settings } = deps;
  const isOn = signsIn(settings()) && settings().oauth?.builtin !== undefined;
  const { clients, without } = await readAll(deps);
  return { builtin: isOn, clients, ...(without > 0 && { withoutAccess: without }) };
}

export async function endClient(deps: AuthRoutesDeps, { params, principal }: RouteRequest): Promise<object> {
  assertMayChange(principal);
  const { store, events } = deps;
  const { clients, grants } = await readAll(deps);
  const client = clients.find(({ id }) => id === params.id);
  if (!client) throw new AppError('not_found', 'No client with access has this id. GET /api/v1/clients shows them.');
  for (const grant of grants.get(client.id) ?? []) {
    await store.oauth.deleteGrant(grant);
    await store.oauth.delete('Grant', grant);
  }
  events.record({ type: 'client.revoked', client: client.id, name: client.name, principal: principal.id });
  await deps.revoked();
  return { id: client.id, name: client.name };
}

async function readAll({ store }: AuthRoutesDeps): Promise<Everything> {
  const [records, registered, refreshes] = await Promise.all([
    store.oauth.list('Grant', MOST),
    store.oauth.list('Client', MOST),
    store.oauth.list('RefreshToken', MOST),
  ]);
  if (records.length === 0) return { clients: [], grants: new Map(), without: registered.length };
  const seal = createSeal(await store.settings.secret('oauth.seal'));
  const opened = (kind: string, all: readonly Found[]) =>
    all.flatMap((record) => {
      const payload = read(seal, record, kind);
      return payload ? [{ ...record, payload }] : [];
    });
  const known = new Map(opened('Client', registered).map(({ id, payload }) => [id, payload]));
  const used = new Map<string, number>();
  for (const { payload } of opened('RefreshToken', refreshes)) {
    const { clientId, iat = 0 } = payload;
    if (clientId !== undefined) used.set(clientId, Math.max(iat, used.get(clientId) ?? 0));
  }
  const byClient = Map.groupBy(
    opened('Grant', records).filter(({ payload }) => payload.clientId !== undefined),
    ({ payload }) => payload.clientId as string,
  );
  const clients = [...byClient].map(([clientId, grants]): Client => {
    const id = storedId(clientId);
    const client = known.get(id);
    const since = Math.min(...grants.map(({ payload }) => payload.iat ?? Number.POSITIVE_INFINITY));
    return {
      id,
      name: shownName(client?.client_name ?? clientId),
      redirects: hostsOf(client?.redirect_uris ?? [clientId]),
      ...timed('since', since),
      ...timed('usedAt', used.get(clientId) ?? since),
      grants: grants.map(({ payload, expires }) => ({
        scopes: scopesIn(payload),
        ...timed('since', payload.iat),
        ...(expires !== undefined && { expires: new Date(expires).toISOString() }),
      })),
    };
  });
  clients.sort((a, b) => ((a.usedAt ?? '') < (b.usedAt ?? '') ? 1 : -1));
  return {
    clients,
    grants: new Map([...byClient].map(([clientId, grants]) => [storedId(clientId), grants.map(({ id }) => id)])),
    without: [...known.keys()].filter((id) => !clients.some((one) => one.id === id)).length,
  };
}

/** Undefined if it cannot be opened: a record of another key of the store is of no use to anybody. */
function read(seal: Seal, { payload }: Found, kind: string): Payload | undefined {
  try {
    return JSON.parse(seal.open(payload, kind)) as Payload;
  } catch {
    return undefined;
  }
}

const scopesIn = ({ resources = {} }: Payload): string[] => [
  ...new Set(Object.values(resources).flatMap((scopes) => scopes.split(' '))),
];

const hostsOf = (uris: readonly string[]): string[] => [
  ...new Set(
    uris.flatMap((uri) => {
      const url = URL.parse(uri);
      return url ? url.host || url.protocol : [];
    }),
  ),
];

function timed<const Name extends string>(name: Name, seconds: number | undefined): { [N in Name]?: string } {
  if (seconds === undefined || !Number.isFinite(seconds)) return {};
  return { [name]: new Date(seconds * 1000).toISOString() } as { [N in Name]: string };
}
