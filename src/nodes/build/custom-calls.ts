import type { NodeDescription, Property } from '../description.ts';

const CUSTOM_CALL = { name: 'Custom API Call', value: '__CUSTOM_API_CALL__' };
const baseTypes = new Set(['oAuth2Api', 'googleOAuth2Api', 'oAuth1Api']);

interface RawCredential {
  readonly name?: unknown;
  readonly extends?: unknown;
  readonly authenticate?: unknown;
}

/**
 * If n8n can sign requests with a node's credential, it adds the option "Custom API Call" to resource and operation at
 * startup. The packages lack it, so add it here too.
 */
export function customCalls(credentials: readonly unknown[]) {
  const types = new Map(credentials.map((one) => [(Object(one) as RawCredential).name, Object(one) as RawCredential]));
  const extendsBase = (name: unknown, seen = new Set<unknown>()): boolean => {
    const parents = types.get(name)?.extends;
    if (!Array.isArray(parents) || seen.has(name)) return false;
    seen.add(name);
    return parents.some((parent: unknown) => baseTypes.has(parent as string) || extendsBase(parent, seen));
  };
  const signs = (name: string) => types.get(name)?.authenticate !== undefined || extendsBase(name);

  /** `version` must be the package's raw value: n8n compares it with the default version, and a list never equals it. */
  return (node: NodeDescription, version: unknown): NodeDescription => {
    const { defaultVersion } = node;
    const isLatest = defaultVersion === undefined || version === defaultVersion;
    if (!isLatest || !node.credentials?.some(({ name }) => signs(name))) return node;
    return { ...node, properties: node.properties.map(withCustomCall) };
  };
}

function withCustomCall(property: Property): Property {
  const { name, options } = property;
  if ((name !== 'resource' && name !== 'operation') || !options?.length) return property;
  return options.at(-1)?.name === CUSTOM_CALL.name ? property : { ...property, options: [...options, CUSTOM_CALL] };
}
