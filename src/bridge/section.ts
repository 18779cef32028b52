import type { HostOf } from '../host/part.ts';
import type { bridgeFacts } from './facts.ts';
import { z } from 'zod';
import { duration } from '../host/config/duration.ts';
import { flag } from '../host/config/scalars.ts';
import { sourceName } from '../host/config/source-name.ts';

const names = z.array(z.string().min(1, 'must not be empty'));
const chosen = z.strictObject({ include: names.default([]), exclude: names.default([]) });

/** `tag: ""` is no tag; n8n keeps 24 characters of one. */
const tag = z.string().max(24, 'must be at most 24 characters, as in n8n');

const keys = {
  enabled: flag,
  apply: z.enum(['ask', 'auto']),
  workflows: z.strictObject({
    tag: tag.default('mcp'),
    include: names.default([]),
    exclude: names.default([]),
    availableInMCP: flag.default(true),
    outputSchema: z.enum(['none', 'infer']).default('none'),
  }),
  tools: z.strictObject({
    tag: tag.default(''),
    workflows: names.default([]),
    include: names.default([]),
    exclude: names.default([]),
  }),
  projects: chosen,
  discovery: z.enum(['poll', 'hook', 'file']),
  poll: duration,
  timeout: duration,
  /** A glob over exposed names -> how long a call may take. */
  timeouts: z.record(z.string(), duration),
};

/** What of an n8n becomes tools, and how changes there are noticed; for one n8n apart under `instances`. */
const bridgeSection = z.strictObject({
  enabled: keys.enabled.default(true),
  apply: keys.apply.default('ask'),
  workflows: keys.workflows.prefault({}),
  tools: keys.tools.prefault({}),
  projects: keys.projects.prefault({}),
  discovery: keys.discovery.default('poll'),
  poll: keys.poll.default(30_000),
  timeout: keys.timeout.default(60_000),
  timeouts: keys.timeouts.default({}),
  instances: z.record(sourceName, z.strictObject(keys).partial()).default({}),
  /** A file of n8n's tools that is shared with it, or the directory of `tools.json`: what TOOLS_SHARED_PATH says. */
  sharedFile: z.string().min(1, 'must name a file').optional(),
});

export const bridgeSettings = { bridge: bridgeSection.prefault({}) };

export type BridgeConfig = z.output<typeof bridgeSection>;

/** For one n8n: what is said of it alone, else what is said of all. */
export function bridgeOf({ instances, sharedFile: _, ...all }: BridgeConfig, instance: string) {
  return { ...all, ...(Object.hasOwn(instances, instance) ? instances[instance] : {}) };
}

export type BridgeHost = HostOf<typeof bridgeSettings, typeof bridgeFacts>;
