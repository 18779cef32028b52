import { AppError } from '../../kernel/errors.ts';
import { identityOf, type Principal } from '../../kernel/principal.ts';
import type { CallContext, Era, Json } from '../../kernel/source.ts';
import { tooMuch } from '../../kernel/too-much.ts';
import type { Upstream } from '../../wire/upstream.ts';
import { isPromising, leastBusy, untried, urlsFor } from './balance.ts';
import type { Lane } from './lane.ts';
import type { BackendSettings } from '../settings.ts';
import { readsAs } from './sign-in.ts';

/** The client capabilities that a shared connection declares. Each call decides which client is asked. */
export const ownCapabilities: Json = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
};

/** Shared lanes offer the same; a private lane does not count for the server's state. */
export interface LaneRole {
  role: 'shared' | 'private';
  capabilities: Json;
  info: Json;
  session?: string;
  /** The era of its only client: a server that speaks both eras is addressed in the same one. */
  era?: Era;
  /** Its only caller, if it is private. */
  principal?: Principal;
  /** One of several URLs. A private lane chooses when it connects. */
  url?: string;
}

/** A connection to use. `release` returns it, if it was lent for a single call. */
export interface Lease {
  lane: Lane;
  release(): void;
}

type Caller = Pick<CallContext, 'principal' | 'client'>;

interface PrivateLane {
  lane: Lane;
  key: string;
  lastUsed: number;
  leased: boolean;
  /** The principal it belongs to. */
  owner: string | undefined;
  session?: string;
}

/** The limit for all callers together is this many times the limit for one caller. */
const CALLERS = 5;
/** Sluice keeps a client's info and capabilities as long as its connection, so their size is limited. */
const LONGEST_INTRODUCTION = 64 * 1024;
const IDLE_LANE_MS = 30 * 60_000;
const IDLE_LEASE_MS = 60_000;

const permanent = (lane: Lane): Lease => ({ lane, release() {} });

/** The connections of one backend: shared ones, and private ones of a single client or user. */
export function createLanes(options: {
  settings: BackendSettings;
  clientInfo: Json;
  create(role: LaneRole): Lane;
  /** How many private connections one caller may have. */
  mostOwned(): number;
  /** Ends an idle session and its connections; false if it is in use. */
  endIdle(session: string): boolean;
}) {
  const { isolation, replicas, transport } = options.settings;
  const urls = (transport.kind !== 'stdio' && transport.urls) || [];
  const everyone = { capabilities: ownCapabilities, info: options.clientInfo };
  const places: { url?: string }[] = urls.length > 0 ? urls.map((url) => ({ url })) : [{}];
  const shared = Array.from({ length: isolation === 'shared' ? replicas : 1 }, () => places)
    .flat()
    .map((place) => options.create({ ...everyone, ...place, role: 'shared' }));
  const owned: PrivateLane[] = [];
  let stopped = false;
  let turns = 0;
  let sweeper: NodeJS.Timeout | undefined;

  /** Ends the longest idle of these connections. If it holds the state of a session, that session ends too. */
  function endLongestIdle(lanes: readonly PrivateLane[]): boolean {
    for (const known of lanes.toSorted((a, b) => a.lastUsed - b.lastUsed)) {
      if (known.leased || known.lane.busy > 0 || known.lane.state.state === 'starting') continue;
      if (known.session === undefined) {
        end([known]);
        return true;
      }
      if (options.endIdle(known.session)) return true;
    }
    return false;
  }

  /** A connection may be a process, so their number is limited: for each caller, and for all together. */
  function makeRoom(owner: string | undefined): void {
    const most = options.mostOwned();
    const own = () => owned.filter((lane) => lane.owner === owner);
    const tooMany = () => {
      if (own().length >= most) return own();
      return owned.length >= most * CALLERS ? owned : undefined;
    };
    for (let lanes = tooMany(); lanes; lanes = tooMany()) {
      if (endLongestIdle(lanes)) continue;
      const whose = lanes === owned ? 'All callers together have' : 'You have';
      throw tooMuch(
        `${whose} ${lanes.length} private connections to this server, all of them in use. End a session, wait for a call to end, or raise limits.connections.`,
      );
    }
  }

  function add(key: string, role: Omit<LaneRole, 'role'>): PrivateLane {
    const owner = role.principal?.id;
    if (key.length + JSON.stringify(role.info).length > LONGEST_INTRODUCTION)
      throw new AppError('invalid_input', 'The clientInfo and capabilities of the client are too long.');
    makeRoom(owner);
    const lane = options.create({ ...role, role: 'private' });
    const { session } = role;
    const added = { lane, key, lastUsed: Date.now(), leased: false, owner, ...(session !== undefined && { session }) };
    owned.push(added);
    void lane.start();
    return added;
  }

  function end(lanes: readonly PrivateLane[]): void {
    for (const gone of lanes) {
      const at = owned.indexOf(gone);
      if (at !== -1) owned.splice(at, 1);
      void gone.lane.stop();
    }
  }

  /** A replica may keep state in its process, so idle replicas do not take turns: the first serves. */
  const nextTurn = () => (urls.length > 0 ? turns++ : 0);

  const best = (): Lane => (shared.length === 1 ? shared[0] : leastBusy(shared, nextTurn())) as Lane;

  /** Another shared lane, for a call that failed; the same if no other works and the call did not run (`again`). */
  function another(tried: readonly Lane[], again: boolean): Lane | undefined {
    if (urls.length === 0 && tried.length > 1) return undefined;
    const others = untried(shared, tried);
    if (again && tried.length === 1 && !others.some(isPromising)) return tried[0];
    return leastBusy(others, nextTurn());
  }

  const ofClient = ({ client }: Caller) => ({
    capabilities: client.capabilities,
    info: client.info ?? options.clientInfo,
  });

  /** A client without a session gets a connection that nobody else uses during its call. */
  function lend(caller: Caller): Lease {
    const key = `lease ${identityOf(caller.principal)} ${JSON.stringify(caller.client.capabilities)}`;
    const lent =
      owned.find((lane) => lane.key === key && !lane.leased) ??
      add(key, { ...ofClient(caller), principal: caller.principal });
    lent.leased = true;
    return {
      lane: lent.lane,
      release() {
        lent.leased = false;
        lent.lastUsed = Date.now();
      },
    };
  }

  function lease(caller: Caller): Lease {
    // A late call to a server that was removed or changed must not start anything.
    if (isolation === 'shared' || stopped) return permanent(best());
    const { session, era, capabilities } = caller.client;
    if (isolation === 'session' && session === undefined) return lend(caller);
    // A 2025 client declares its capabilities once, a 2026 client with every request.
    const able = era === 'modern' ? ` ${JSON.stringify(capabilities)}` : '';
    const key = isolation === 'principal' ? `principal ${identityOf(caller.principal)}` : `session ${session}${able}`;
    const client =
      isolation === 'principal' ? everyone : { ...ofClient(caller), era, ...(session !== undefined && { session }) };
    const role = { ...client, principal: caller.principal };
    const known = owned.find((lane) => lane.key === key) ?? add(key, role);
    known.lastUsed = Date.now();
    return permanent(known.lane);
  }

  function sweep(): void {
    const now = Date.now();
    const idle = owned.filter((lane) => lane.session === undefined && !lane.leased && lane.lane.busy === 0);
    end(idle.filter(({ key, lastUsed }) => now - lastUsed >= (key.startsWith('lease') ? IDLE_LEASE_MS : IDLE_LANE_MS)));
    for (const lane of all()) lane.closeIdle(IDLE_LANE_MS);
  }

  const all = (): Lane[] => [...shared, ...owned.map(({ lane }) => lane)];

  return {
    shared: shared as readonly Lane[],
    all,

    /** The connection that serves this caller. */
    lease,

    /** Another connection for a call that failed, or its own once more; undefined if there is none left to try. */
    leaseOther(caller: Caller, tried: readonly Lane[], again: boolean): Lease | undefined {
      if (isolation !== 'shared' && !stopped)
        return tried.length === 1 && (again || urls.length > 0) ? lease(caller) : undefined;
      const lane = another(tried, again);
      return lane && permanent(lane);
    },

    /** The URLs to which a private connection may go, best first; empty if the server does not have several. */
    urlsFor: (lane: Lane): string[] =>
      urlsFor(
        lane,
        urls,
        shared,
        owned.filter((known) => known.lane !== lane).map((known) => known.lane),
      ),

    /** The same connection again, as long as it exists: the server's state for the caller is only there. */
    leaseAgain(lane: Lane): Lease | undefined {
      if (lane.state.state === 'stopped') return undefined;
      const own = owned.find((known) => known.lane === lane);
      if (own) own.lastUsed = Date.now();
      return permanent(lane);
    },

    /** Whether a connection of this caller waits for a login; without `isolation: principal`, all connections are theirs. */
    waitsForLogin({ id }: Principal): boolean {
      if (isolation !== 'principal') return all().some((lane) => lane.waitsForLogin);
      const own = owned.filter(({ owner }) => owner === id).map(({ lane }) => lane);
      return [...own, ...(id === readsAs.id ? shared : [])].some((lane) => lane.waitsForLogin);
    },

    /** Ends the connections of one client's session. */
    sessionClosed: (session: string) => end(owned.filter((lane) => lane.session === session)),
    ofSession: (session: string): Lane | undefined => owned.find((lane) => lane.session === session)?.lane,

    /** Every open connection. */
    running: (): Upstream[] => all().flatMap(({ connections }) => connections),

    /** Starts after `after`. Settles when every shared connection has tried once. */
    async start(after?: Promise<void>): Promise<void> {
      sweeper = setInterval(sweep, IDLE_LEASE_MS / 2);
      sweeper.unref();
      await Promise.all(shared.map((lane) => lane.start(after)));
    },

    async stop(): Promise<void> {
      stopped = true;
      clearInterval(sweeper);
      await Promise.all(all().map((lane) => lane.stop()));
      owned.length = 0;
    },

    async restart(): Promise<void> {
      for (const { lane } of owned.splice(0)) await lane.stop();
      if (stopped) return;
      await Promise.all(shared.map((lane) => lane.restart()));
    },
  };
}
