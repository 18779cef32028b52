import { z } from 'zod';

/** What the server says to every question. */
export const answered = z.looseObject({
  ok: z.boolean().optional(),
  msg: z.string().nullish(),
  tokenRequired: z.boolean().optional(),
});

const flag = z.union([z.boolean(), z.number()]).nullish().transform(Boolean);
const text = z.string().nullish();
const number = z.coerce.number().nullish().catch(null);

const tagOnMonitor = z.object({
  tag_id: z.int(),
  name: z.string().catch(''),
  value: z.string().nullish(),
});

/** A monitor as far as lists show it. The rest stays on the server. */
export const monitorShape = z.object({
  id: z.int(),
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
  type: z.string().catch('unknown'),
  active: flag,
  /** Its group is paused, and so it is. */
  forceInactive: flag,
  maintenance: flag,
  url: text,
  hostname: text,
  port: number,
  interval: number,
  parent: z.int().nullish(),
  childrenIDs: z.array(z.int()).catch([]),
  pathName: text,
  tags: z.array(tagOnMonitor).catch([]),
});

export type Monitor = z.output<typeof monitorShape>;

/** Rows of the database and objects have different names for the same. */
export const beatShape = z
  .object({
    monitorID: z.coerce.number().optional(),
    monitor_id: z.coerce.number().optional(),
    status: z.coerce.number(),
    time: z.string(),
    msg: text,
    ping: z.number().nullish(),
    important: flag,
  })
  .transform(({ monitorID, monitor_id, status, time, msg, ping, important }) => ({
    monitor: monitorID ?? monitor_id,
    status: statusOf(status),
    at: timeOf(time),
    message: msg ?? '',
    ping: ping ?? undefined,
    important,
  }))
  .refine(({ at }) => !Number.isNaN(at));

export type Beat = z.output<typeof beatShape>;

const STATUSES = ['down', 'up', 'pending', 'maintenance'] as const;
const statusOf = (status: number) => STATUSES[status] ?? 'pending';

/** Milliseconds of `2026-01-31 14:00:00.123`, which is UTC, or of an ISO time. */
const timeOf = (text: string): number =>
  Date.parse(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);

export const beatsAnswer = z.looseObject({ data: z.array(z.unknown()) });
export const beatsIn = (rows: readonly unknown[]): Beat[] =>
  rows.flatMap((row) => {
    const { success, data } = beatShape.safeParse(row);
    return success ? [data] : [];
  });

export const infoShape = z.object({ version: text });

export const certificateShape = z.object({
  valid: z.boolean().optional(),
  certInfo: z
    .object({ validTo: text, daysRemaining: z.number().nullish(), subject: z.looseObject({ CN: text }).nullish() })
    .nullish(),
});

export const notificationShape = z.object({
  id: z.int(),
  name: z.string().catch(''),
  active: flag,
  isDefault: flag,
  config: z.string().optional(),
});

export const statusPageShape = z.object({
  id: z.int().optional(),
  slug: z.string(),
  title: z
    .string()
    .nullish()
    .transform((title) => title ?? ''),
  description: text,
  published: flag,
  theme: text,
  footerText: text,
  showTags: flag,
  showCertificateExpiry: flag,
  domainNameList: z.array(z.string()).catch([]),
});

export type StatusPage = z.output<typeof statusPageShape>;

export const maintenanceShape = z.object({
  id: z.int(),
  title: z.string().catch(''),
  description: text,
  strategy: z.string().catch('unknown'),
  active: flag,
  status: text,
  timezone: text,
  cron: text,
  durationMinutes: number,
  timeslotList: z.array(z.object({ startDate: text, endDate: text })).catch([]),
});

export type Maintenance = z.output<typeof maintenanceShape>;

export const tagShape = z.object({ id: z.int(), name: z.string().catch(''), color: text });

const incidentShape = z.object({
  id: z.int(),
  style: text,
  title: z.string().catch(''),
  content: text,
  createdDate: text,
});

/** What visitors of a status page get. Older versions have at most one incident. */
export const publicPage = z
  .object({
    incident: incidentShape.nullish(),
    incidents: z.array(incidentShape).nullish(),
    publicGroupList: z
      .array(
        z.object({
          id: z.int(),
          name: z
            .string()
            .nullish()
            .transform((name) => name ?? ''),
          monitorList: z.array(
            z.object({ id: z.int(), name: z.string().catch(''), sendUrl: flag, url: z.string().nullish() }),
          ),
        }),
      )
      .catch([]),
  })
  .transform(({ incident, incidents, publicGroupList }) => ({
    incidents: incidents ?? (incident ? [incident] : []),
    groups: publicGroupList,
  }));

export type PublicPage = z.output<typeof publicPage>;
