import { z } from 'zod';
import { duration } from '../host/config/duration.ts';
import { flag } from '../host/config/scalars.ts';
import { sourceName } from '../host/config/source-name.ts';
import type { HostOf } from '../host/part.ts';
import type { bridgeFacts } from './facts.ts';

/** Names or ids, as globs. */
const names = z.array(z.string().min(1, 'must not be empty'));

/** `tag: ""` is no tag; n8n keeps 24 characters of one. */
const tag = z.string().max(24, 'must be at most 24 characters, as in n8n');

const keys = {
  enabled: flag,
  /** Whether generated workflows wait for `sluice bridge apply`. */
  apply: z.enum(['ask', 'auto']),
  /** Workflows as tools. */
  workflows: z.strictObject({
    /** The tag that makes a workflow a tool. */
    tag: tag.default('mcp'),
    /** Tools without a tag. */
    include: names.default([]),
    /** Never tools, whatever else is said. */
    exclude: names.default([]),
    /** Whether n8n's own switch "available in MCP" makes it a tool too. */
    availableInMCP: flag.default(true),
    /** Whether an output schema is made up from what the workflow gave before. */
    outputSchema: z.enum(['none', 'infer']).default('none'),
  }),
  /** n8n's AI tools. */
  tools: z.strictObject({
    /** A tag that chooses every AI tool of a workflow. */
    tag: tag.default(''),
    /** Workflows whose AI tools are chosen. */
    workflows: names.default([]),
    /** Globs over the names of the tools; an empty `include` is every one. */
    include: names.default([]),
    exclude: names.default([]),
  }),
  /** An empty `include` is every project. */
  projects: z.strictObject({ include: names.default([]), exclude: names.default([]) }),
  /** How changes are noticed. Signed hooks are welcome in every case. */
  discovery: z.enum(['poll', 'hook', 'file']),
  /** Between two looks at everything. */
  poll: duration,
  /** That a call of a bridged tool may take. */
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
  /** A file of n8n's tools that is shared with it, or the directory of `tools.json`. */
  sharedFile: z.string().min(1, 'must name a file').optional(),
});

export const bridgeSettings = { bridge: bridgeSection.prefault({}) };

export type BridgeHost = HostOf<typeof bridgeSettings, typeof bridgeFacts>;

/** For one n8n: what is said of it alone, else what is said of all. */
export function bridgeOf(
  { instances, sharedFile: _, ...all }: z.output<typeof bridgeSection>,
  instance: string,
): BridgeSettings {
  return { ...all, ...(Object.hasOwn(instances, instance) ? instances[instance] : {}) };
}

/** What the file says of the bridge to one n8n. */
export type BridgeSettings = Omit<z.output<typeof bridgeSection>, 'instances' | 'sharedFile'>;

/** What decides which workflows are tools: the configuration, and what was asked for. */
export type Choosing = Pick<BridgeSettings, 'workflows' | 'tools' | 'projects'> & {
  /** Ids of workflows that `bridge apply` was told to choose. */
  readonly asked?: readonly string[];
};
