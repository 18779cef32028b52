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

/** The tools about n8n's nodes. Without a connected n8n they describe the pinned version. */
export const nodesSource = (deps: NodesDeps): ToolSource =>
  createOwnSource<NodesDeps>({
    id: 'nodes',
    exposure: 'flat',
    description: "n8n's nodes: find them by plain words, read how to use them, connect them",
    guide: () => [
      'Find a node: `search_nodes {query: "post to a Slack channel"}`, then `get_node_details {nodes: ["n8n-nodes-base.slack"]}`.',
    ],
    tools: nodesTools.map(withNote),
    deps,
  });
