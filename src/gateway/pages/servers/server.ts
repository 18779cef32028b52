/** A server, as /api/v1/servers lists it. */
export interface Server {
  readonly name: string;
  readonly state: 'STOPPED' | 'STARTING' | 'RUNNING' | 'DEGRADED' | 'FAILED' | 'OFF';
  readonly since?: string;
  readonly transport: string;
  readonly tools: number;
  readonly lastError?: { readonly message: string; readonly at: string };
  readonly retryAt?: string;
  readonly calls?: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly restarts: number;
  readonly isolation: string;
  readonly replicas: number;
  readonly tags: readonly string[];
  readonly urls?: readonly { readonly url: string; readonly state: string; readonly lastError?: string }[];
  readonly origin: 'file' | 'preset' | 'added' | 'part';
  readonly description?: string;
  readonly held?: number;
  readonly needsLogin?: boolean;
}

export interface Allowed {
  readonly may: boolean;
  readonly why?: string;
}

export interface ServerList {
  readonly servers: readonly Server[];
  readonly add: Allowed & { readonly commands: Allowed };
}

export interface ChangedTool {
  readonly tool: string;
  readonly since?: string;
  readonly accepted?: object;
  readonly offered?: object;
  readonly large?: boolean;
}

/** What /api/v1/servers/NAME says. */
export interface ServerDetail extends Server {
  readonly runs: string;
  readonly prefix: string;
  readonly protocol?: string;
  readonly noise?: number;
  readonly leftOut?: readonly string[];
  readonly login?: string;
  readonly latestMs?: readonly number[];
  readonly stderr: { readonly lines: readonly string[]; readonly why?: string };
  readonly changed: readonly ChangedTool[];
  readonly errors: readonly {
    readonly at: string;
    readonly type: string;
    readonly tool?: string;
    readonly reason?: string;
    readonly trace: string;
  }[];
  readonly restart: Allowed;
  readonly remove: Allowed;
  readonly accept: Allowed;
}

export const origins: Readonly<Record<Server['origin'], string>> = {
  file: 'the configuration file',
  preset: 'a preset',
  added: 'added while Sluice ran',
  part: 'n8n, over the bridge',
};

const order = ['DEGRADED', 'STARTING', 'RUNNING', 'STOPPED', 'OFF'];

/** Servers that need somebody come first. */
const rank = ({ state, needsLogin, held }: Server): number => {
  if (needsLogin || state === 'FAILED') return -2;
  return held && state === 'RUNNING' ? -1 : order.indexOf(state);
};

export type Group = 'all' | 'problems' | 'running' | 'off';

const belongs: Readonly<Record<Group, (server: Server) => boolean>> = {
  all: () => true,
  problems: (server) => rank(server) <= 0,
  running: ({ state }) => state === 'RUNNING' || state === 'DEGRADED',
  off: ({ state }) => state === 'OFF' || state === 'STOPPED',
};

export const groups: readonly (readonly [Group, string])[] = [
  ['all', 'All'],
  ['problems', 'Problems'],
  ['running', 'Running'],
  ['off', 'Off'],
];

export const isGroup = (text: string | undefined): text is Group => groups.some(([group]) => group === text);

export const inGroup = (servers: readonly Server[], group: Group): Server[] => servers.filter(belongs[group]);

/** The servers that fit, in the order in which people want to see them. */
export function chosen(servers: readonly Server[], words: string, group: Group): Server[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = (server: Server) => {
    const { name, description = '', tags, lastError, transport } = server;
    const text = [name, description, transport, ...tags, lastError?.message ?? ''].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  return inGroup(servers, group)
    .filter(fits)
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, undefined, { numeric: true }));
}

/** One word for the state, and how serious it is. */
export function stateOf({ state, needsLogin, held }: Server): { word: string; tone: 'good' | 'warn' | 'bad' | 'off' } {
  if (needsLogin) return { word: 'needs a login', tone: 'warn' };
  if (held && state === 'RUNNING') return { word: 'tools held back', tone: 'warn' };
  const tones = {
    RUNNING: 'good',
    DEGRADED: 'warn',
    STARTING: 'warn',
    FAILED: 'bad',
    STOPPED: 'off',
    OFF: 'off',
  } as const;
  return { word: state.toLowerCase(), tone: tones[state] };
}

/** What the state means, and what to do about it. */
export function adviceFor(server: Server & Partial<Pick<ServerDetail, 'login' | 'leftOut'>>): {
  says: string;
  next?: string;
} {
  const { name, state, needsLogin, login, leftOut, held, transport, urls = [], origin } = server;
  if (needsLogin)
    return {
      says: 'It waits until somebody signs in.',
      next: login
        ? 'Sign in. It starts by itself afterwards.'
        : `Ask somebody with the scope admin to sign in here, or run \`sluice login ${name}\` on the gateway's machine.`,
    };
  switch (state) {
    case 'RUNNING':
      if (held)
        return { says: `It works, except for ${held === 1 ? 'a tool that is' : `${held} tools that are`} held back.` };
      return leftOut
        ? { says: 'It works, but Sluice cannot use some of what it offers.', next: 'Its set-up below says why.' }
        : { says: 'It works.' };
    case 'STARTING':
      return { says: 'It is starting. Calls to its tools wait for it.' };
    case 'DEGRADED':
      return urls.some((url) => url.state !== 'RUNNING')
        ? {
            says: 'It works, but not at all of its URLs.',
            next: 'Calls go to the others. Sluice keeps trying those that fail.',
          }
        : {
            says: 'It runs, but something does not work.',
            next: 'Sluice watches it. If it stays like this, restart it.',
          };
    case 'FAILED':
      return {
        says: 'It does not run. Calls to its tools fail.',
        next:
          transport === 'stdio'
            ? `Sluice keeps trying. Read below what it wrote to stderr. If ${entry(origin)} is wrong, correct it.`
            : `Sluice keeps trying. Check that it can be reached from the gateway's machine, and that ${entry(origin)} is right.`,
      };
    case 'OFF':
      return {
        says: 'It is switched off.',
        next: 'Its entry says `enabled: false`. Set it to true in the configuration; that takes effect at once.',
      };
    default:
      return { says: 'It is stopped.', next: 'Restart it to use its tools.' };
  }
}

const entry = (origin: Server['origin']): string =>
  origin === 'file' ? 'its entry in the configuration file' : 'its entry';

interface Repeated<T> {
  readonly first: T;
  readonly times: number;
}

/** Errors that say the same one after the other are one. */
export function repeats(errors: ServerDetail['errors']): Repeated<ServerDetail['errors'][number]>[] {
  const found: Repeated<ServerDetail['errors'][number]>[] = [];
  for (const error of errors) {
    const last = found.at(-1);
    const { type, tool, reason } = last?.first ?? {};
    if (last && type === error.type && tool === error.tool && reason === error.reason)
      found[found.length - 1] = { ...last, times: last.times + 1 };
    else found.push({ first: error, times: 1 });
  }
  return found;
}

const happened: Readonly<Record<string, string>> = {
  'tool.call_failed': 'A call failed',
  'gateway.backend_failed': 'It failed',
  'gateway.backend_degraded': 'It was degraded',
  'gateway.tools_left_out': 'Tools cannot be listed',
  'gateway.name_collision': 'Two tools had the same name',
};

/** What an event of this type means here. */
export const eventWords = (type: string): string => (Object.hasOwn(happened, type) ? (happened[type] ?? type) : type);
