import { z } from 'zod';
import { rateText } from '../../kernel/rate.ts';
import { authSection, checkAuth } from '../../auth/settings.ts';
import { backupsSection } from '../../n8n/backups/settings.ts';
import { bridgeSection } from '../../bridge/section.ts';
import { eventsSection } from '../../events/settings.ts';
import { metricsSection } from '../../telemetry/settings.ts';
import { internalListener } from '../../server/internal-settings.ts';
import { modulesSection, redisKey, storeKey } from '../../store/settings.ts';
import { n8nSection } from '../../n8n/settings.ts';
import { nodesSection } from '../../nodes/settings.ts';
import { exposure, flag, httpUrl, integer } from './scalars.ts';
import { presetSchema, serverSchema } from '../../gateway/config/server-entry.ts';
import { sourceName } from './source-name.ts';
import { validationSection } from '../../n8n/validation/section.ts';

export type { PresetConfig, ServerConfig } from '../../gateway/config/server-entry.ts';

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

const toolset = z.strictObject({
  include: z.array(z.string()).default([]),
  exclude: z.array(z.string()).default([]),
  expose: exposure.optional(),
  readOnly: flag.default(false),
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
  readOnly: flag.default(false),
  routes: z.array(route).default([]),
});

const limitsSection = z.strictObject({
  /** For each key or user that has no rate of its own. */
  key: rateText.optional(),
  /** A glob over exposed names -> how often each caller may call each of them. */
  tools: z.record(z.string(), rateText).default({}),
  /** What each caller may have open at once: sessions, streams, requests that are being answered. */
  sessions: integer(1, 1_000_000).default(1000),
  streams: integer(1, 1_000_000).default(1000),
  requests: integer(1, 1_000_000).default(1000),
  /** Connections of each caller alone to each server that is not shared. */
  connections: integer(1, 10_000).default(50),
});

/** All of `sluice.yaml`. */
export const configSchema = z
  .strictObject({
    server: serverSection.prefault({}),
    auth: authSection.default({ mode: 'none' }),
    n8n: n8nSection.default({}),
    mcpServers: z.record(sourceName, serverSchema).default({}),
    backups: backupsSection.prefault({}),
    nodes: nodesSection.prefault({}),
    validation: validationSection.prefault({}),
    bridge: bridgeSection.prefault({}),
    modules: modulesSection,
    toolsets: z.record(sourceName, toolset).default({}),
    events: eventsSection.prefault({}),
    store: storeKey,
    redis: redisKey,
    gateway: gatewaySection.prefault({}),
    limits: limitsSection.prefault({}),
    presets: z
      .record(sourceName, z.union([z.literal(false), presetSchema], { error: 'must be a preset or false' }))
      .default({}),
    metrics: metricsSection.prefault({}),
    logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  })
  .superRefine(checkAuth);

export type Config = z.output<typeof configSchema>;
