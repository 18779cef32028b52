import { AppError } from '../../kernel/errors.ts';
import { identityOf, type Principal } from '../../kernel/principal.ts';
import type { CallContext, Era, Json } from '../../kernel/source.ts';
import { tooMuch } from '../../kernel/too-much.ts';
import type { Upstream } from '../../wire/upstream.ts';
import type { Lane } from './lane.ts';
import type { BackendSettings } from '../settings.ts';

/** What a connection that serves everyone says the client can do; who is asked is decided call by call. */
export const ownCapabilities: Json = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
};

/** The primary one reads what is offered; a replica offers the same; a private one says nothing of the server. */
export interface LaneRole {
  role: 'primary' | 'replica' | 'private';
  capabilities: Json;
  info: Json;
  session?: string;
  /** What its one client speaks: a server of both eras is spoken to in the same. */
  era?: Era;
  /** Whom it serves, where it serves one alone. */
  principal?: Principal;
}

/** A connection to use. `release` gives back one that was lent for a single call. */
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
  /** Whose it is. */
  owner: string | undefined;
  session?: string;
}

/** How many callers can have as many connections as one may have. */
const CALLERS = 5;
/** What a client says of itself is kept as long as its connection. */
const LONGEST_INTRODUCTION = 64 * 1024;
const IDLE_LANE_MS = 30 * 60_000;
const IDLE_LEASE_MS = 60_000;

const permanent = (lane: Lane): Lease => ({ lane, release() {} });

/** The connections of one backend: those that serve everyone, and those of one client or user alone. */
export function createLanes(options: {
  settings: BackendSettings;
  clientInfo: Json;
  create(role: LaneRole): Lane;
  /** How many connections one caller may have alone. */
  mostOwned(): number;
  /** Ends a session that nobody uses now, and with it what was opened for it; false where it is in use. */
  endIdle(session: string): boolean;
}) {
  const { isolation, replicas } = options.settings;
  const everyone = { capabilities: ownCapabilities, info: options.clientInfo };
  const shared = Array.from({ length: isolation === 'shared' ? replicas : 1 }, (_, index) =>
    options.create({ ...everyone, role: index === 0 ? 'primary' : 'replica' }),
  );
  const owned: PrivateLane[] = [];
  let stopped = false;
  let sweeper: NodeJS.Timeout | undefined;

  /** Ends the connection among these that was not used for longest. What a session left in it goes with the session. */
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

  /** A connection may be a process: one caller gets so many, and all together some more. */
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
        `${whose} ${lanes.length} private connections to this server, and all are in use. End a session, wait for a call to end, or raise limits.connections.`,
      );
    }
  }

  function add(key: string, role: Omit<LaneRole, 'role'>): PrivateLane {
    const owner = role.principal?.id;
    if (key.length + JSON.stringify(role.info).length > LONGEST_INTRODUCTION)
      throw new AppError('invalid_input', 'What the client says of itself and its capabilities is too long.');
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

  function leastBusy(except: Lane | undefined): Lane {
    if (shared.length === 1) return shared[0] as Lane;
    const usable = shared.filter((lane) => lane !== except);
    const running = usable.filter((lane) => lane.state.state === 'running');
    const sound = running.filter((lane) => !('degraded' in lane.state));
    // One that is about to run serves sooner than one that waits to be tried again.
    const starting = usable.filter((lane) => lane.state.state === 'starting');
    const pool = [sound, running, starting, usable, shared].find((lanes) => lanes.length > 0) as Lane[];
    return pool.reduce((best, lane) => (lane.busy < best.busy ? lane : best));
  }

  const ofClient = ({ client }: Caller) => ({
    capabilities: client.capabilities,
    info: client.info ?? options.clientInfo,
  });

  /** A client without a session of its own gets a connection that nobody else uses for the time of its call. */
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
    lease(caller: Caller, except?: Lane): Lease {
      // A call may come late to a server that was removed or changed: nothing is started for it.
      if (isolation === 'shared' || stopped) return permanent(leastBusy(except));
      const { session, era, capabilities } = caller.client;
      if (isolation === 'session' && session === undefined) return lend(caller);
      // What a 2025 client can do is settled once; a 2026 client says it anew with every request.
      const able = era === 'modern' ? ` ${JSON.stringify(capabilities)}` : '';
      const key = isolation === 'principal' ? `principal ${identityOf(caller.principal)}` : `session ${session}${able}`;
      const client =
        isolation === 'principal' ? everyone : { ...ofClient(caller), era, ...(session !== undefined && { session }) };
      const role = { ...client, principal: caller.principal };
      const known = owned.find((lane) => lane.key === key) ?? add(key, role);
      known.lastUsed = Date.now();
      return permanent(known.lane);
    },

    /** A connection that served before, as long as there is that one: what a server left there is nowhere else. */
    leaseAgain(lane: Lane): Lease | undefined {
      if (lane.state.state === 'stopped') return undefined;
      const own = owned.find((known) => known.lane === lane);
      if (own) own.lastUsed = Date.now();
      return permanent(lane);
    },

    /** Ends what was opened for one client. */
    sessionClosed: (session: string) => end(owned.filter((lane) => lane.session === session)),
    ofSession: (session: string): Lane | undefined => owned.find((lane) => lane.session === session)?.lane,

    /** Every connection that is up now. */
    running: (): Upstream[] => all().flatMap(({ connections }) => connections),

    /** Settles when the first attempt of every shared connection has ended. It begins when `after` has come about. */
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
