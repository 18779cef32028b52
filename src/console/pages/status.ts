/** What the overview reads of GET /api/v1/status. */
export interface Status {
  readonly version: string;
  readonly url?: string;
  readonly uptimeSeconds: number;
  readonly state: 'ok' | 'degraded' | 'failed';
  readonly problems: readonly string[];
  readonly tools: number;
  readonly sessions?: number;
  readonly backends: readonly Server[];
  readonly parts: readonly PartHealth[];
  readonly notConfigured: readonly { readonly name: string; readonly reason: string }[];
  readonly replicas?: readonly Replica[];
}

export interface Server {
  readonly name: string;
  readonly state: 'STOPPED' | 'STARTING' | 'RUNNING' | 'DEGRADED' | 'FAILED';
  readonly since: string;
  readonly tools: number;
  readonly held?: readonly string[];
  readonly lastError?: { readonly message: string; readonly at: string };
  readonly retryAt?: string;
}

export interface PartHealth {
  readonly name: string;
  readonly kind: string;
  readonly state: 'ready' | 'starting' | 'degraded' | 'failing' | 'off';
  readonly since?: string;
  readonly detail?: string;
  readonly lastError?: { readonly message: string; readonly at: string };
  readonly retryAt?: string;
  readonly fix?: string;
}

export interface Replica {
  readonly id: string;
  readonly self?: boolean;
  readonly host: string;
  readonly version: string;
  readonly seenSeconds: number;
  readonly state: string;
  readonly problems: readonly string[];
  readonly draining?: boolean;
}

/** A line of the overview: a part, a server, or another process. */
export interface Line {
  readonly key: string;
  readonly name: string;
  readonly state: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'off';
  readonly since?: string | undefined;
  /** What it is doing, or what is wrong. */
  readonly says?: string | undefined;
  readonly fix?: string | undefined;
  readonly retryAt?: string | undefined;
  /** Which kind of part it is, or which server. */
  readonly kind?: string;
  readonly server?: string;
  /** It stands for several servers. */
  readonly isMany?: boolean;
}

const serverTones = { STOPPED: 'off', STARTING: 'warn', RUNNING: 'good', DEGRADED: 'warn', FAILED: 'bad' } as const;
const partTones = { ready: 'good', starting: 'warn', degraded: 'warn', failing: 'bad', off: 'off' } as const;

/** What has trouble, the worst first. */
const badness = { bad: 0, warn: 1, good: 2, off: 3 } as const;
const worstFirst = (a: Line, b: Line): number => badness[a.tone] - badness[b.tone];

/** More servers share a line, so that the parts below them stay in sight. */
const MOST_SERVERS = 6;

/** A line for every part, and for the servers that do not just run. `signIns` are those that wait for a login. */
export function linesOf({ parts, backends, replicas = [] }: Status, signIns: ReadonlySet<string> = new Set()): Line[] {
  const servers = backends.filter(({ name, state, held }) => state !== 'RUNNING' || held || signIns.has(name));
  const lines = [
    ...parts.map(lineOfPart),
    ...fewLines(servers.map((server) => lineOfServer(server, signIns.has(server.name))).sort(worstFirst)),
    ...replicas.filter(({ self }) => !self).map(lineOfReplica),
  ];
  return lines.sort(worstFirst);
}

function fewLines(servers: readonly Line[]): Line[] {
  const shown = servers.slice(0, servers.length > MOST_SERVERS ? MOST_SERVERS - 1 : MOST_SERVERS);
  const [first, ...others] = servers.slice(shown.length);
  if (!first) return shown;
  const { state, tone } = first;
  const states = Map.groupBy([first, ...others], (line) => line.state);
  const says = [...states].map(([name, { length }]) => `${length} ${name}`).join(', ');
  return [...shown, { key: 'servers', name: `${others.length + 1} more servers`, state, tone, says, isMany: true }];
}

function lineOfPart({ name, kind, state, since, detail, lastError, retryAt, fix }: PartHealth): Line {
  const isWell = state === 'ready' || state === 'off';
  return {
    key: `part ${name}`,
    name,
    state,
    tone: partTones[state],
    since,
    says: isWell ? detail : (lastError?.message ?? detail),
    ...(!isWell && { fix, retryAt }),
    kind,
  };
}

function lineOfServer({ name, state, since, lastError, held, retryAt }: Server, needsLogin: boolean): Line {
  const about = { key: `server ${name}`, name, since, server: name };
  if (needsLogin) return { ...about, state: 'needs a sign-in', tone: 'warn', fix: 'Open the server and sign in.' };
  if (state === 'RUNNING')
    return {
      ...about,
      state: 'changed',
      tone: 'warn',
      says:
        held?.length === 1
          ? 'One of its tools changed and is held back.'
          : `${held?.length ?? 0} of its tools changed and are held back.`,
      fix: 'Look at the changes and accept them.',
    };
  return { ...about, state: state.toLowerCase(), tone: serverTones[state], says: lastError?.message, retryAt };
}

function lineOfReplica({ id, host, version, seenSeconds, state, problems, draining }: Replica): Line {
  return {
    key: `replica ${id}`,
    name: `replica ${host}`,
    state: draining ? 'stopping' : state,
    tone: draining || state !== 'ok' ? 'warn' : 'good',
    says: problems[0] ?? `Version ${version}, heard of ${seenSeconds} s ago.`,
  };
}
