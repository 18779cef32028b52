import { z } from 'zod';
import { exposure, flag, httpUrl, integer } from './scalars.ts';
import { presetSchema, serverSchema } from './server-entry.ts';
import { sourceName } from './source-name.ts';

export type { PresetConfig, ServerConfig } from './server-entry.ts';

const internalListener = z
  .strictObject({
    socket: z.string().min(1, 'must name a file').optional(),
    host: z.string().optional(),
    port: integer(0, 65_535).optional(),
    scopes: z.array(z.string()).default(['tools:read']),
  })
  .transform(({ socket, host, port, scopes }, context) => {
    if (socket !== undefined && host === undefined && port === undefined) return { socket, scopes };
    if (socket === undefined && host !== undefined && port !== undefined) return { host, port, scopes };
    context.addIssue({
      code: 'custom',
      message: 'needs either a socket, or a host and a port',
      params: { fix: 'Write { socket: /path/to/socket } or { host: 127.0.0.1, port: 3501 }.' },
    });
    return z.NEVER;
  });

const serverSection = z.strictObject({
  host: z.string().min(1, 'must not be empty').default('127.0.0.1'),
  port: integer(0, 65_535).default(3500),
  publicUrl: httpUrl.optional(),
  allowedHosts: z.array(z.string()).default([]),
  allowedOrigins: z.array(z.string()).default([]),
  trustProxy: flag.default(false),
  internal: z
    .union([z.literal(false), internalListener], { error: 'must be false or say where to listen' })
    .default(false),
});

// The sections below belong to parts that bring their own schema; until then they are read loosely.

/** `mode` has no default inside the section: a misspelt one must never turn authentication off. */
export const authSection = z.looseObject({
  mode: z
    .union([z.enum(['none', 'keys', 'oauth', 'both']), z.array(z.enum(['keys', 'oauth'])).min(1)], {
      error: 'must be none, keys, oauth or [keys, oauth]',
    })
    .transform((mode) => {
      if (!Array.isArray(mode)) return mode;
      return new Set(mode).size === 2 ? 'both' : (mode[0] ?? 'none');
    }),
});

export const n8nSection = z.record(
  z.string(),
  z.looseObject({ url: httpUrl.default('http://127.0.0.1:5678'), apiKey: z.string().optional() }),
);

export const bridgeSection = z.looseObject({ workflows: z.looseObject({ tag: z.string().optional() }).optional() });

export const modulesSection = z.record(z.string(), z.looseObject({}));

export const eventsSection = z.looseObject({
  webhook: z.looseObject({ url: httpUrl, secret: z.string().optional() }).optional(),
  watch: z.array(z.string()).optional(),
  keep: z.union([z.string(), z.number()]).optional(),
  jsonl: z.string().optional(),
});

const toolset = z.strictObject({
  include: z.array(z.string()).default([]),
  exclude: z.array(z.string()).default([]),
  expose: exposure.optional(),
});

const route = z.strictObject({
  /** An exposed name, or a glob over them. */
  tool: z.string().min(1, 'must name a tool'),
  /** Dotted path of an argument -> the value it must have; a text may be a glob. */
  when: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).default({}),
  /** The server that gets the call. */
  to: z.string().min(1, 'must name a server'),
});

const gatewaySection = z.strictObject({
  allowCommands: flag.default(false),
  allowInternalUrls: flag.default(false),
  startConcurrency: integer(1, 64).default(8),
  expose: exposure.optional(),
  routes: z.array(route).default([]),
});

function connection(schemes: string[], message: string, fix: string) {
  return z.string().superRefine((given, context) => {
    if (schemes.some((scheme) => given === scheme || (scheme.endsWith('//') && given.startsWith(scheme)))) return;
    context.addIssue({ code: 'custom', message, params: { fix } });
  });
}

/** All of `sluice.yaml`. */
export const configSchema = z.strictObject({
  server: serverSection.prefault({}),
  auth: authSection.default({ mode: 'none' }),
  n8n: n8nSection.default({}),
  mcpServers: z.record(sourceName, serverSchema).default({}),
  bridge: bridgeSection.optional(),
  modules: modulesSection.default({}),
  toolsets: z.record(sourceName, toolset).default({}),
  events: eventsSection.default({}),
  store: connection(
    ['sqlite', 'postgres://', 'postgresql://'],
    'is neither sqlite nor a PostgreSQL address',
    'Write sqlite, or postgres://user:password@host:5432/database.',
  ).default('sqlite'),
  redis: connection(
    ['redis://', 'rediss://'],
    'is not a Redis address',
    'Write redis://127.0.0.1:6379 (or rediss:// with TLS).',
  ).optional(),
  gateway: gatewaySection.prefault({}),
  presets: z
    .record(sourceName, z.union([z.literal(false), presetSchema], { error: 'must be a preset or false' }))
    .default({}),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

export type Config = z.output<typeof configSchema>;
