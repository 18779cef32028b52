import { createOwnSource } from '../kernel/own-source.ts';
import type { ToolSource } from '../kernel/source.ts';
import { withNote } from './stand-in.ts';
import type { NodesDeps } from './tool.ts';
import { getNodeDetails } from './tools/get-node-details.ts';
import { getNodeOptions } from './tools/get-node-options.ts';
import { getNodeProperty } from './tools/get-node-property.ts';
import { getNodeTypes } from './tools/get-node-types.ts';
import { getNodeVersions } from './tools/get-node-versions.ts';
import { listCredentialTypes } from './tools/list-credential-types.ts';
import { searchNodes } from './tools/search-nodes.ts';
import { suggestConnections } from './tools/suggest-connections.ts';

export const nodesTools = [
  getNodeTypes,
  searchNodes,
  getNodeDetails,
  getNodeProperty,
  getNodeVersions,
  suggestConnections,
  getNodeOptions,
  listCredentialTypes,
];

/** What is known of n8n's nodes. It needs no n8n: without one it is about those of a known version. */
export const nodesSource = (deps: NodesDeps): ToolSource =>
  createOwnSource<NodesDeps>({
    id: 'nodes',
    exposure: 'flat',
    description: "n8n's nodes: found by plain words, explained, put together",
    guide: () => [
      'Find a node: `search_nodes {query: "post to a Slack channel"}`, then `get_node_details {nodes: ["n8n-nodes-base.slack"]}`.',
    ],
    tools: nodesTools.map(withNote),
    deps,
  });
