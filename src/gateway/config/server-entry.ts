import { z } from 'zod';
import type { Transport } from '../transport.ts';
import { duration } from '../../host/config/duration.ts';
import { oauthEntry, oauthOf } from './oauth-entry.ts';
import { checkTemplates } from './principal-templates.ts';
import { exposure, flag, httpUrl, integer, text } from '../../host/config/scalars.ts';
import { sourceName } from '../../host/config/source-name.ts';

const kinds = z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse']);

const MOST_URLS = 32;

/** `urls` of a server: several addresses that serve the same. */
const severalUrls = z.array(httpUrl).superRefine((urls, context) => {
  const refuse = (path: number[], message: string, fix: string) =>
    context.addIssue({ code: 'custom', path, message, params: { fix } });
  if (urls.length === 0) return refuse([], 'is empty', 'List at least one URL, or remove the entry.');
  if (urls.length > MOST_URLS)
    return refuse(
      [],
      `has ${urls.length} URLs, and ${MOST_URLS} is the most`,
      'Put a load balancer in front of the servers, and list its URL.',
    );
  const seen = new Map<string, number>();
  for (const [index, url] of urls.entries()) {
    const href = URL.parse(url)?.href ?? url;
    const before = seen.get(href);
    if (before !== undefined)
      refuse(
        [index],
        `is the same URL as urls.${before}`,
        'Remove one of the two. For several connections to each URL, set replicas.',
      );
    else seen.set(href, index);
  }
});

const entryShape = {
  command: z.string().min(1, 'must not be empty').optional(),
  args: z.array(text).default([]),
  env: z.record(z.string(), text).default({}),
  cwd: z.string().optional(),
  url: httpUrl.optional(),
  /** Several addresses that serve the same: calls are balanced over them. */
  urls: severalUrls.optional(),
  headers: z.record(z.string(), text).default({}),
  transport: kinds.optional(),
  /** The prefix of its tools' names; default: the server's name; empty for none. */
  prefix: z.union([z.literal(''), sourceName]).optional(),
  /** What it is for, in a few words. */
  description: z.string().optional(),
  isolation: z.enum(['shared', 'session', 'principal']).default('shared'),
  replicas: integer(1, 64).default(1),
  /** For starting, and for Sluice's own requests. */
  timeout: duration.default(30_000),
  /** How long a call may be silent. */
  callTimeout: duration.default(300_000),
  enabled: flag.default(true),
  tags: z.array(z.string()).default([]),
  tools: z
    .strictObject({
      include: z.array(z.string()).default([]),
      exclude: z.array(z.string()).default([]),
      rename: z.record(z.string(), z.string()).default({}),
      describe: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
  confirm: z.union([z.array(z.string()), z.string()], { error: 'must be a list of globs, or "human"' }).default([]),
  confirmBy: z.literal('human').optional(),
  expose: exposure.optional(),
  /** Whether a tool whose definition changed stays in use, or is held back until it is accepted. */
  onChange: z.enum(['allow', 'hold']).default('allow'),
  allowedPaths: z
    .array(z.strictObject({ tool: z.string(), argument: z.string(), directories: z.array(z.string()).min(1) }))
    .optional(),
  /** Whether its URL may lead to this machine or its network. The file may allow it, a tool call may not. */
  allowInternal: flag.default(true),
  /** Whether secrets that Sluice gave the server are redacted from the errors with which it answers. */
  redactErrors: flag.default(true),
  /** How to sign in to it; false for never. */
  oauth: z.union([z.literal(false), oauthEntry], { error: 'must be false, or say how to sign in' }).optional(),

  // Keys that other clients and gateways use for the same things.
  namespace: z.union([z.literal(''), sourceName]).optional(),
  capabilities: z.array(z.string()).default([]),
  type: kinds.optional(),
  disabled: flag.optional(),
  serverUrl: httpUrl.optional(),
  httpUrl: httpUrl.optional(),
  // Accepted and ignored: the client decides with its user which tools need no approval. Ours is `confirm`.
  autoApprove: z.unknown().optional(),
  alwaysAllow: z.unknown().optional(),
};

export const entryKeys: ReadonlySet<string> = new Set(Object.keys(entryShape));

const entry = z.strictObject(entryShape);
type Entry = z.output<typeof entry>;

/** One `mcpServers` entry, in Sluice's own shape after parsing, whatever client it was pasted from. */
export const serverSchema = entry.transform(normalise);

/** A server that starts as soon as a variable is set. */
export const presetSchema = z
  .strictObject({ ...entryShape, when: z.strictObject({ env: z.string().min(1, 'must name a variable') }) })
  .transform(({ when, ...given }, context) => ({ ...normalise(given, context), when }));

export type PresetConfig = z.output<typeof presetSchema>;

function normalise(given: Entry, context: z.RefinementCtx) {
  const { namespace, prefix = namespace, description, confirmBy, expose, allowedPaths } = given;
  if (namespace !== undefined && namespace !== prefix)
    context.addIssue({
      code: 'custom',
      path: ['namespace'],
      message: `is another name for prefix, which says "${prefix}"`,
      params: { fix: 'Keep one of the two.' },
    });
  const human = confirmBy === 'human' || given.confirm === 'human';
  const transport = transportOf(given, context);
  checkTemplates(transport, given.isolation, context);
  return {
    transport,
    ...(prefix !== undefined && { prefix }),
    ...(description !== undefined && { description }),
    isolation: given.isolation,
    replicas: given.replicas,
    timeout: given.timeout,
    callTimeout: given.callTimeout,
    enabled: given.enabled && given.disabled !== true,
    tags: [...new Set([...given.tags, ...given.capabilities])],
    tools: given.tools,
    // `confirm: human` means every tool; a single glob needs no brackets.
    confirm: given.confirm === 'human' ? ['*'] : [given.confirm].flat(),
    ...(human && { confirmBy: 'human' as const }),
    ...(expose !== undefined && { expose }),
    onChange: given.onChange,
    ...(allowedPaths !== undefined && { allowedPaths }),
    allowInternal: given.allowInternal,
    redactErrors: given.redactErrors,
    ...oauthOf(given.oauth, transport, context),
  };
}

function transportOf(given: Entry, context: z.RefinementCtx): Transport {
  const refuse = (path: string[], message: string, fix: string): never => {
    context.addIssue({ code: 'custom', path, message, params: { fix } });
    return z.NEVER;
  };
  const { command, args, env, cwd, headers } = given;

  const kind = kindOf(given.transport);
  const type = kindOf(given.type);
  if (kind && type && kind !== type) {
    return refuse(['type'], `says ${type} while transport says ${kind}`, 'Keep one of the two.');
  }
  const stated = kind ?? type;
  const statedBy = kind ? 'transport' : 'type';

  const urls = (['url', 'serverUrl', 'httpUrl'] as const).filter((key) => given[key] !== undefined);
  const [urlKey, otherKey] = urls;
  if (urlKey && otherKey && given[urlKey] !== given[otherKey]) {
    return refuse([otherKey], `and ${urlKey} are different addresses for one server`, `Keep ${urlKey} only.`);
  }
  if (urlKey && given.urls) {
    return refuse(
      ['urls'],
      `and ${urlKey} are two ways to say where the server is`,
      `Remove ${urlKey}; put its address into urls if it serves the same.`,
    );
  }
  const [first, ...others] = given.urls ?? [];
  const url = first ?? (urlKey && given[urlKey]);

  if (command !== undefined && url !== undefined) {
    return refuse([], 'has both a command and a URL', 'Keep command for a program, or url for a server elsewhere.');
  }
  if (command !== undefined) {
    if (stated && stated !== 'stdio') {
      return refuse([statedBy], `is ${stated}, but there is a command`, 'Write stdio, or leave it out.');
    }
    return { kind: 'stdio', command, args, env, ...(cwd !== undefined && { cwd }) };
  }
  if (url === undefined) {
    const fix =
      stated && stated !== 'stdio'
        ? 'Add url: https://….'
        : 'Add command: … (a program to run) or url: https://… (a server elsewhere).';
    context.addIssue({ code: 'custom', message: 'has neither a command nor a URL', params: { fix, absence: true } });
    return z.NEVER;
  }
  if (stated === 'stdio') {
    return refuse([statedBy], 'is stdio, but there is a URL', 'Write http or sse, or leave it out.');
  }
  const guessed = guessKind(url);
  const odd = stated ? -1 : others.findIndex((other) => guessKind(other) !== guessed);
  if (odd !== -1) {
    return refuse(
      ['urls', String(odd + 1)],
      'looks like another transport than the first URL: a path that ends in /sse means sse',
      'Add transport: http or transport: sse, which then holds for all of them.',
    );
  }
  return { kind: stated ?? guessed, url, ...(others.length > 0 && { urls: [url, ...others] }), headers };
}

function kindOf(given: z.output<typeof kinds> | undefined): Transport['kind'] | undefined {
  return given === undefined || given === 'stdio' || given === 'sse' ? given : 'http';
}

// Servers of the first protocol version live at /sse by convention, and few clients require a type for them.
function guessKind(url: string): 'http' | 'sse' {
  return new URL(url).pathname.replace(/\/$/, '').endsWith('/sse') ? 'sse' : 'http';
}
