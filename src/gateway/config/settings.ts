import type { HostOf } from '../../host/part.ts';
import type { callFacts } from '../../kernel/call-facts.ts';
import type { gatewayFacts } from '../facts.ts';
import { z } from 'zod';
import { exposure, flag, integer } from '../../host/config/scalars.ts';
import { sourceName } from '../../host/config/source-name.ts';
import type { SettingsOf } from '../../host/part.ts';
import { rateText } from '../../kernel/rate.ts';
import { presetSchema, serverSchema } from './server-entry.ts';

export const toolset = z.strictObject({
  include: z.array(z.string()).default([]),
  exclude: z.array(z.string()).default([]),
  expose: exposure.optional(),
  /** Only tools that change nothing. */
  readOnly: flag.default(false),
});

export const route = z.strictObject({
  /** An exposed name, or a glob over them. */
  tool: z.string().min(1, 'must name a tool'),
  /** Dotted path of an argument -> the value it must have; a string may be a glob. */
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
  /** The rate limit of each key or user without its own. */
  key: rateText.optional(),
  /** Glob over exposed names -> how often each caller may call each of these tools. */
  tools: z.record(z.string(), rateText).default({}),
  /** How many sessions, streams and requests each caller may have open at once. */
  sessions: integer(1, 1_000_000).default(1000),
  streams: integer(1, 1_000_000).default(1000),
  requests: integer(1, 1_000_000).default(1000),
  /** Private connections of each caller to each server that is not shared. */
  connections: integer(1, 10_000).default(50),
});

const preset = z.union([z.literal(false), presetSchema], { error: 'must be a preset or false' });

export const gatewaySettings = {
  mcpServers: z.record(sourceName, serverSchema).default({}),
  toolsets: z.record(sourceName, toolset).default({}),
  gateway: gatewaySection.prefault({}),
  limits: limitsSection.prefault({}),
  presets: z.record(sourceName, preset).default({}),
};

export type GatewayConfig = SettingsOf<typeof gatewaySettings>;

export type GatewayHost = HostOf<typeof gatewaySettings, typeof callFacts & typeof gatewayFacts>;
