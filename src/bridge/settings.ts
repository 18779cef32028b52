import { z } from 'zod';
import { duration } from '../host/config/duration.ts';
import { flag } from '../host/config/scalars.ts';
import { sourceName } from '../host/config/source-name.ts';
import type { HostOf } from '../host/part.ts';
import type { bridgeFacts } from './facts.ts';
import type { NamedTools } from './live/named-tools.ts';

/** With hooks or a file, scans are this much rarer, unless their interval is given: they only catch what was missed. */
const SELDOM = 10;

/** Globs over names or ids. */
const names = z.array(z.string().min(1, 'must not be empty'));

/** How changes are noticed. Each has two names: ours, and the one that deployments of n8n beside an MCP server use. */
const methods = {
  poll: 'poll',
  api: 'poll',
  hook: 'hook',
  hooks: 'hook',
  file: 'file',
  'shared-volume': 'file',
} as const;

export const discoveryMethods: readonly string[] = Object.keys(methods);

const method = z
  .enum(Object.keys(methods) as [keyof typeof methods, ...(keyof typeof methods)[]])
  .transform((name) => methods[name]);

/** `tag: ""` switches the tag off. n8n's tags have at most 24 characters. */
const tag = z.string().max(24, 'must be at most 24 characters, as in n8n');

const keys = {
  enabled: flag,
  /** `ask`: generate workflows only after `sluice bridge apply`. */
  apply: z.enum(['ask', 'auto']),
  /** Workflows as tools. */
  workflows: z.strictObject({
    /** The tag that makes a workflow a tool. */
    tag: tag.default('mcp'),
    /** Workflows that are tools without a tag. */
    include: names.default([]),
    /** Workflows that are never tools. Overrides everything else. */
    exclude: names.default([]),
    /** Whether n8n's own switch "Available in MCP" makes a workflow a tool too. */
    availableInMCP: flag.default(true),
    /** `infer`: derive an output schema from earlier results. */
    outputSchema: z.enum(['none', 'infer']).default('none'),
  }),
  /** n8n's AI tools. */
  tools: z.strictObject({
    /** A tag that chooses all AI tools of a workflow. */
    tag: tag.default(''),
    /** Workflows whose AI tools are chosen. */
    workflows: names.default([]),
    /** Globs over tool names. An empty `include` means all. */
    include: names.default([]),
    exclude: names.default([]),
  }),
  /** An empty `include` means every project. */
  projects: z.strictObject({ include: names.default([]), exclude: names.default([]) }),
  /** How changes are noticed. Signed hooks always work. */
  discovery: z.union(
    [
      method.transform((name) => ({ method: name, refreshInterval: undefined })),
      z.strictObject({
        method: method.prefault('poll'),
        /** Interval between two full scans, whatever the method. */
        refreshInterval: duration.optional(),
      }),
    ],
    { error: `must be one of ${discoveryMethods.join(', ')}, or a map with method and refreshInterval` },
  ),
  /** Interval between two full scans. With hooks or a file, ten times as long. */
  poll: duration,
  /** How long a call of a bridged tool may take. */
  timeout: duration,
  /** Overrides `timeout`, by glob over exposed names. */
  timeouts: z.record(z.string(), duration),
};

/** What becomes tools, and how changes are noticed. `instances` overrides it for single n8n. */
const bridgeSection = z.strictObject({
  enabled: keys.enabled.default(true),
  apply: keys.apply.default('ask'),
  workflows: keys.workflows.prefault({}),
  tools: keys.tools.prefault({}),
  projects: keys.projects.prefault({}),
  discovery: keys.discovery.prefault('poll'),
  poll: keys.poll.default(30_000),
  timeout: keys.timeout.default(60_000),
  timeouts: keys.timeouts.default({}),
  instances: z.record(sourceName, z.strictObject(keys).partial()).default({}),
  /** The shared file with n8n's tools, or the directory of its `n8n-tools.json`. */
  sharedFile: z.string().min(1, 'must name a file').optional(),
});

export const bridgeSettings = { bridge: bridgeSection.prefault({}) };

export type BridgeHost = HostOf<typeof bridgeSettings, typeof bridgeFacts>;

/** The settings of one n8n: its own override the common ones, key by key. */
export function bridgeOf(
  { instances, sharedFile: _, ...all }: z.output<typeof bridgeSection>,
  instance: string,
): BridgeSettings {
  const own = Object.hasOwn(instances, instance) ? instances[instance] : undefined;
  const { discovery, ...rest } = { ...all, ...own };
  const asked = own?.discovery?.refreshInterval ?? (own?.poll === undefined ? discovery.refreshInterval : undefined);
  const poll = asked ?? rest.poll;
  const isTold = discovery.method !== 'poll' && asked === undefined;
  return { ...rest, poll, scan: isTold ? poll * SELDOM : poll, discovery: discovery.method };
}

/** Settings of the bridge to one n8n. */
export type BridgeSettings = Omit<z.output<typeof bridgeSection>, 'instances' | 'sharedFile' | 'discovery'> & {
  readonly discovery: (typeof methods)[keyof typeof methods];
  /** How often everything is scanned, whatever changes are told. */
  readonly scan: number;
};

/** What decides which workflows are tools: the configuration, and the choices of `bridge apply`. */
export type Choosing = Pick<BridgeSettings, 'workflows' | 'tools' | 'projects'> & {
  /** Ids of workflows that were named in `bridge apply`. */
  readonly asked?: readonly string[];
  /** AI tools that the shared file names outside of a workflow. */
  readonly named?: NamedTools;
};
