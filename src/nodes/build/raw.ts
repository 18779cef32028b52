/** Unchecked types from n8n's packages and instances. Node names are full. */
export interface RawTypes {
  readonly nodes: readonly unknown[];
  readonly credentials: readonly unknown[];
}

/** Adds the package name, which node names inside a package lack. */
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
