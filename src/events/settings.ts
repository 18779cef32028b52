import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { spanOf } from '../kernel/moment.ts';
import { http } from '../kernel/node-http.ts';
import { duration } from '../host/config/duration.ts';
import { flag, httpUrl, integer, text } from '../host/config/scalars.ts';

/** `optional` is for a file that a preset brings: nobody named it, so nothing is wrong while it is not there. */
export interface Watched {
  path: string;
  from: 'start' | 'end';
  optional?: boolean;
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
    { error: 'must be a file, or { path, from }' },
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
    return { message: 'is not a header that can be sent', params: { fix: 'Use ASCII, and no line breaks.' } };
  }
}

const webhook = z.strictObject({
  /** Its place in the events is kept under this name: an address can change, and nothing is lost. */
  name: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must be letters, digits, - and _, at most 40')
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
  /** How often an event that is refused by itself is sent before it is set aside. */
  tries: integer(1, 100).default(3),
  maxWaiting: integer(1_000, 100_000_000).default(1_000_000),
});

const webhooks = z
  .union([webhook, z.array(webhook)], { error: 'must be a webhook, or a list of them' })
  .transform((given) => (Array.isArray(given) ? given : [given]))
  .superRefine((given, context) => {
    const names = given.map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) === index) continue;
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `is "${name}" twice`,
        params: { fix: 'Give each webhook of the list a name of its own.' },
      });
    }
  });

const HOUR = 3_600_000;
const TEN_YEARS = 3650 * 24 * HOUR;

/** `30` (days), `"30d"`, `"12h"`, `"2w"`; becomes milliseconds. */
const span = z.union([z.number(), z.string()], { error: 'must be a span of time' }).transform((given, context) => {
  const ms = spanOf(/^[\d.]+$/.test(String(given)) ? `${given}d` : String(given)) ?? Number.NaN;
  if (ms >= HOUR && ms <= TEN_YEARS) return ms;
  context.addIssue({
    code: 'custom',
    message: Number.isNaN(ms) ? 'is not a span of time' : 'must be from 1h to 3650d',
    params: { fix: 'Write days as a number (30), or a text with its unit ("12h", "30d", "2w").' },
  });
  return z.NEVER;
});

/** The keys of `events` that say what is kept of them, where, and for how long. */
const keepingKeys = {
  keep: span.prefault(30),
  /** At most so many; the oldest go first. */
  max: integer(1_000, 100_000_000).default(1_000_000),
  /** A directory, for `<date>.jsonl` files. */
  jsonl: z.string().min(1, 'must name a directory').optional(),
  /** Whether to record each call; everything else is recorded anyway. */
  calls: flag.default(true),
  /** Whether to record what tools are called with. */
  arguments: flag.default(false),
};

/** What happens to events besides being stored. */
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
        message: 'is where events.jsonl is written: each event would be read and written again for ever',
        params: { fix: 'Watch files of other programs only.' },
      });
    }
  });

export const eventsSettings = { events: eventsSection.prefault({}) };
