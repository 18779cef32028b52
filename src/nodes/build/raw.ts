/** What n8n's packages and instances hand out, unread. The names of nodes are whole. */
export interface RawTypes {
  readonly nodes: readonly unknown[];
  readonly credentials: readonly unknown[];
}

/** Inside a package the names of nodes lack its prefix. */
export function fromPackage(name: string, types: RawTypes): RawTypes {
  return {
    nodes: types.nodes.map((node) => (hasName(node) ? { ...node, name: `${name}.${node.name}` } : node)),
    credentials: types.credentials.map((credential) =>
      hasName(credential) && Array.isArray(credential.supportedNodes)
        ? { ...credential, supportedNodes: credential.supportedNodes.map((node) => `${name}.${node}`) }
        : credential,
    ),
  };
}

function hasName(value: unknown): value is Record<string, unknown> & { name: string } {
  return typeof value === 'object' && value !== null && typeof (value as { name?: unknown }).name === 'string';
}
