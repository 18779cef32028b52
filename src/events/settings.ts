import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { spanOf } from '../kernel/moment.ts';
import { http } from '../kernel/node-http.ts';
import { duration } from '../host/config/duration.ts';
import { flag, httpUrl, integer, text } from '../host/config/scalars.ts';

/** `optional` marks a file that comes from a preset: the user did not name it, so it may be missing. */
export interface Watched {
  path: string;
  from: 'start' | 'end';
  optional?: boolean;
}

/** What presets add to the settings, which win. */
export interface PresetPlaces {
  readonly watch: readonly Watched[];
  /** A directory for event files. */
  readonly jsonl?: string;
}

/** A JSONL file another program appends to. */
const watched = z
  .union(
    [
      z.string().min(1, 'must name a file'),
      z.strictObject({
        path: z.string().min(1, 'must name a file'),
        from: z.enum(['start', 'end']).default('end'),
      }),
    ],
    { error: 'must be a file name or { path, from }' },
  )
  .transform((given): Watched => (typeof given === 'string' ? { path: given, from: 'end' } : given));

const OURS = /^(?:host|content-type|content-length|transfer-encoding|connection|traceparent|x-sluice-.*)$/i;

const headers = z.record(z.string(), text).superRefine((given, context) => {
  for (const [name, value] of Object.entries(given)) {
    const problem = headerProblem(name, value);
    if (problem) context.addIssue({ code: 'custom', path: [name], ...problem });
  }
});

function headerProblem(name: string, value: string) {
  if (OURS.test(name)) return { message: 'is set by Sluice', params: { fix: 'Remove it, or choose another name.' } };
  try {
    http.validateHeaderName(name);
    http.validateHeaderValue(name, value);
    return undefined;
  } catch {
    return { message: 'is not a valid header', params: { fix: 'Use ASCII without line breaks.' } };
  }
}

const webhook = z.strictObject({
  /** The position in the events is stored under this name, so the URL can change without losing events. */
  name: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, - or _')
    .default('webhook'),
  url: httpUrl,
  secret: z.string().min(1, 'must not be empty').optional(),
  /** Globs over event types. */
  filter: z.array(z.string().min(1, 'must not be empty')).min(1, 'must name at least one type').default(['*']),
  exceptPrincipals: z.array(z.string().min(1, 'must not be empty')).default([]),
  batch: integer(1, 1000).default(100),
  headers: headers.default({}),
  timeout: duration.default(15_000),
  retry: z.strictObject({ first: duration.default(1_000), most: duration.default(60_000) }).prefault({}),
  /** How often to send a refused event before setting it aside. */
  tries: integer(1, 100).default(3),
  maxWaiting: integer(1_000, 100_000_000).default(1_000_000),
});

const webhooks = z
  .union([webhook, z.array(webhook)], { error: 'must be a webhook or a list of webhooks' })
  .transform((given) => (Array.isArray(given) ? given : [given]))
  .superRefine((given, context) => {
    const names = given.map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) === index) continue;
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `"${name}" is used twice`,
        params: { fix: 'Give each webhook its own name.' },
      });
    }
  });

const HOUR = 3_600_000;
const TEN_YEARS = 3650 * 24 * HOUR;

/** `30` (days), `"30d"`, `"12h"`, `"2w"`; becomes milliseconds. */
const span = z.union([z.number(), z.string()], { error: 'must be a duration' }).transform((given, context) => {
  const ms = spanOf(/^[\d.]+$/.test(String(given)) ? `${given}d` : String(given)) ?? Number.NaN;
  if (ms >= HOUR && ms <= TEN_YEARS) return ms;
  context.addIssue({
    code: 'custom',
    message: Number.isNaN(ms) ? 'is not a duration' : 'must be from 1h to 3650d',
    params: { fix: 'Write a number of days (30) or a text with a unit ("12h", "30d", "2w").' },
  });
  return z.NEVER;
});

/** The `events` keys that say which events to keep, where and for how long. */
const keepingKeys = {
  keep: span.prefault(30),
  /** Most events to keep; the oldest are deleted first. */
  max: integer(1_000, 100_000_000).default(1_000_000),
  /** In MB. */
  maxSize: integer(10, 10_000_000).default(2048),
  /** A directory, for `<date>.jsonl` files. */
  jsonl: z.string().min(1, 'must name a directory').optional(),
  /** Whether to record each call. All other events are always recorded. */
  calls: flag.default(true),
  /** Whether to record the arguments of calls. */
  arguments: flag.default(false),
};

/** The `events` section. */
const eventsSection = z
  .strictObject({
    webhook: webhooks.optional(),
    watch: z.array(watched).optional(),
    ...keepingKeys,
  })
  .superRefine(({ watch = [], jsonl }, context) => {
    if (jsonl === undefined) return;
    for (const [index, { path }] of watch.entries()) {
      if (resolve(dirname(path)) !== resolve(jsonl)) continue;
      context.addIssue({
        code: 'custom',
        path: ['watch', index],
        message:
          'is in the directory that events.jsonl writes to: each event would be read and written again in a loop',
        params: { fix: 'Watch only files of other programs.' },
      });
    }
  });

export const eventsSettings = { events: eventsSection.prefault({}) };
