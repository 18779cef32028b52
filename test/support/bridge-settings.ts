import type { BridgeSettings } from '../../src/bridge/settings.ts';

type Change = { [Key in keyof BridgeSettings]?: Partial<BridgeSettings[Key]> | BridgeSettings[Key] };

/** The settings of a test: the defaults, except for what it sets. */
export function bridgeSettings({ workflows, tools, projects, ...change }: Change = {}): BridgeSettings {
  return {
    enabled: true,
    apply: 'ask',
    workflows: { tag: 'mcp', include: [], exclude: [], availableInMCP: true, outputSchema: 'none', ...workflows },
    tools: { tag: '', workflows: [], include: [], exclude: [], ...tools },
    projects: { include: [], exclude: [], ...projects },
    discovery: 'poll',
    poll: 30_000,
    scan: (change.poll ?? 30_000) * (change.discovery && change.discovery !== 'poll' ? 10 : 1),
    timeout: 60_000,
    timeouts: {},
    ...(change as Partial<BridgeSettings>),
  };
}
