import { stringify } from 'yaml';
import type { Json } from '../../../../kernel/source.ts';
import type { Address } from './address.ts';

export interface ArkExport {
  /** The name of the MCPServer. */
  readonly name: string;
  readonly namespace?: string;
  readonly address: Address;
  /** Where the token is: a Secret in the same namespace, and its key. */
  readonly secret: { readonly name: string; readonly key: string };
  readonly agent?: {
    readonly name: string;
    readonly model: string;
    /** Names of Tool objects. */
    readonly tools: readonly string[];
  };
  /** What to ask the agent. */
  readonly query?: string;
}

/**
 * ARK connects at most five times, with 2, 4, 8 and 16 seconds in between. Its own default ends before the last of them; if
 * they all fail it deletes every tool.
 */
const CONNECT = '60s';
/** As long as a Query may take by default. */
const CALL = '5m';
const POLL = '1m';

const PROMPT = 'Answer with the help of your tools. If a tool fails, say which one and why.';

/** The objects for `kubectl apply`. None has the token in it. */
export function arkResources({ name, namespace, address, secret, agent, query }: ArkExport): Json[] {
  const object = (kind: string, called: string, spec: Json): Json => ({
    apiVersion: 'ark.mckinsey.com/v1alpha1',
    kind,
    metadata: { name: called, ...(namespace !== undefined && { namespace }) },
    spec,
  });
  return [
    object('MCPServer', name, {
      description: 'Tools of Sluice',
      transport: 'http',
      address: 'url' in address ? { value: address.url } : { valueFrom: { serviceRef: { ...address.service } } },
      authorization: { tokenSecretRef: { name: secret.name, accessTokenKey: secret.key } },
      timeout: CONNECT,
      toolCallTimeout: CALL,
      pollInterval: POLL,
    }),
    ...(agent
      ? [
          object('Agent', agent.name, {
            description: `Uses the tools of ${name}`,
            prompt: PROMPT,
            modelRef: { name: agent.model },
            tools: agent.tools.map((tool) => ({ type: 'mcp', name: tool })),
          }),
        ]
      : []),
    ...(agent && query !== undefined
      ? [object('Query', `${agent.name}-query`, { input: query, target: { type: 'agent', name: agent.name } })]
      : []),
  ];
}

export const arkYaml = (wanted: ArkExport): string =>
  arkResources(wanted)
    .map((one) => stringify(one, { lineWidth: 0 }))
    .join('---\n');
