import { z } from 'zod';
import {
  type Beat,
  beatShape,
  beatsIn,
  certificateShape,
  infoShape,
  type Maintenance,
  maintenanceShape,
  type Monitor,
  monitorShape,
  notificationShape,
  type StatusPage,
  statusPageShape,
} from './answers.ts';

export interface Uptime {
  /** Of the last 24 hours, from 0 to 1. */
  readonly day?: number;
  /** Of the last 30 days. */
  readonly month?: number;
}

export interface Certificate {
  readonly days: number;
  readonly until: string | undefined;
  readonly valid: boolean;
  readonly subject: string | undefined;
}

export interface Notification {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly active: boolean;
  readonly isDefault: boolean;
}

/** What the server has sent unasked: it tells a client everything after its login, and every change from then on. */
export interface Pushed {
  version: string | undefined;
  monitors: Map<number, Monitor>;
  readonly lastBeats: Map<number, Beat>;
  readonly uptimes: Map<number, Uptime>;
  /** The average of the last 24 hours, in milliseconds. */
  readonly pings: Map<number, number>;
  readonly certificates: Map<number, Certificate>;
  /** Changes of state, newest first, of a version that sends them: 1.23. */
  readonly changes: Map<number, Beat[]>;
  notifications: readonly Notification[];
  /** By slug. */
  statusPages: Map<string, StatusPage>;
  maintenances: readonly Maintenance[];
  /** The lists that have come. */
  readonly has: Set<string>;
}

export const nothingYet = (): Pushed => ({
  version: undefined,
  monitors: new Map(),
  lastBeats: new Map(),
  uptimes: new Map(),
  pings: new Map(),
  certificates: new Map(),
  changes: new Map(),
  notifications: [],
  statusPages: new Map(),
  maintenances: [],
  has: new Set(),
});

const MOST_CHANGES = 500;

type Apply = (pushed: Pushed, ...args: readonly unknown[]) => void;

/** Events by name. Data that are not as documented are left out. */
const events: ReadonlyMap<string, Apply> = new Map<string, Apply>([
  [
    'info',
    (pushed, info) => {
      const { data } = infoShape.safeParse(info);
      // Before the login it has no version.
      if (data?.version) pushed.version = data.version;
    },
  ],
  ['monitorList', (pushed, list) => (pushed.monitors = new Map(monitorsIn(list)))],
  [
    'updateMonitorIntoList',
    (pushed, list) => {
      for (const [id, monitor] of monitorsIn(list)) pushed.monitors.set(id, monitor);
    },
  ],
  ['deleteMonitorFromList', (pushed, id) => forget(pushed, Number(id))],
  [
    'heartbeatList',
    (pushed, id, rows) => {
      const last = beatsIn(listOf(rows)).at(-1);
      if (last) pushed.lastBeats.set(Number(id), last);
    },
  ],
  [
    'importantHeartbeatList',
    (pushed, id, rows) => pushed.changes.set(Number(id), beatsIn(listOf(rows)).slice(0, MOST_CHANGES)),
  ],
  [
    'heartbeat',
    (pushed, row) => {
      const { data: beat } = beatShape.safeParse(row);
      if (beat?.monitor === undefined) return;
      pushed.lastBeats.set(beat.monitor, beat);
      // Newer versions are asked for them.
      if (!beat.important || !pushed.version?.startsWith('1.')) return;
      const changes = pushed.changes.get(beat.monitor) ?? [];
      pushed.changes.set(beat.monitor, [beat, ...changes].slice(0, MOST_CHANGES));
    },
  ],
  [
    'uptime',
    (pushed, id, hours, share) => {
      if (typeof share !== 'number') return;
      const known = pushed.uptimes.get(Number(id)) ?? {};
      if (hours === 24) pushed.uptimes.set(Number(id), { ...known, day: share });
      if (hours === 720) pushed.uptimes.set(Number(id), { ...known, month: share });
    },
  ],
  [
    'avgPing',
    (pushed, id, ping) => {
      if (typeof ping === 'number') pushed.pings.set(Number(id), ping);
    },
  ],
  [
    'certInfo',
    (pushed, id, json) => {
      const certificate = certificateIn(json);
      if (certificate) pushed.certificates.set(Number(id), certificate);
    },
  ],
  ['notificationList', (pushed, list) => (pushed.notifications = listOf(list).flatMap(notificationIn))],
  [
    'statusPageList',
    (pushed, list) =>
      (pushed.statusPages = new Map(parsedIn(statusPageShape, valuesOf(list)).map((page) => [page.slug, page]))),
  ],
  ['maintenanceList', (pushed, list) => (pushed.maintenances = parsedIn(maintenanceShape, valuesOf(list)))],
]);

export function applied(pushed: Pushed, event: string, args: readonly unknown[]): void {
  events.get(event)?.(pushed, ...args);
  pushed.has.add(event);
}

export function forget(pushed: Pushed, id: number): void {
  for (const by of [
    pushed.monitors,
    pushed.lastBeats,
    pushed.uptimes,
    pushed.pings,
    pushed.certificates,
    pushed.changes,
  ])
    by.delete(id);
}

/** Whether everything has come that follows a login. In 1.23 it follows the answer to the login, one by one. */
export const isComplete = ({ version, has, monitors, lastBeats, uptimes }: Pushed): boolean =>
  version !== undefined &&
  has.has('monitorList') &&
  has.has('statusPageList') &&
  (has.has('uptime') || monitors.size === 0) &&
  monitors.values().every(({ id }) => uptimes.get(id)?.month !== undefined || !lastBeats.has(id));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const valuesOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

function parsedIn<T extends z.ZodType>(type: T, values: readonly unknown[]): z.output<T>[] {
  return values.flatMap((value) => {
    const { success, data } = type.safeParse(value);
    return success ? [data] : [];
  });
}

const monitorsIn = (list: unknown): [number, Monitor][] =>
  parsedIn(monitorShape, valuesOf(list)).map((monitor) => [monitor.id, monitor]);

/** The configuration of a notification has tokens and addresses; only its type is kept. */
function notificationIn(value: unknown): Notification[] {
  const { data } = notificationShape.safeParse(value);
  if (!data) return [];
  const { id, name, active, isDefault, config } = data;
  return [{ id, name, active, isDefault, type: typeIn(config) }];
}

function typeIn(config: string | undefined): string {
  const { data } = z.object({ type: z.string() }).safeParse(jsonOf(config ?? ''));
  return data?.type ?? 'unknown';
}

function certificateIn(json: unknown): Certificate | undefined {
  const { data } = certificateShape.safeParse(typeof json === 'string' ? jsonOf(json) : json);
  const info = data?.certInfo;
  if (!info || typeof info.daysRemaining !== 'number') return undefined;
  return {
    days: info.daysRemaining,
    until: info.validTo ?? undefined,
    valid: data.valid ?? false,
    subject: info.subject?.CN ?? undefined,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
