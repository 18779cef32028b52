import type { Node } from '../n8n/client/shapes.ts';
import type { FoundTool } from './ai-tools.ts';

const addresses = ['endpointUrl', 'sseEndpoint', 'url'] as const;
const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

/** Which node of a tool asks this gateway for its tools, if one does: they would be listed once more, and again. */
export function loopIn({ node, closure }: FoundTool, ownUrls: readonly string[]): Node | undefined {
  const own = new Set(ownUrls.flatMap((url) => placeOf(url) ?? []));
  return [node, ...closure].find(
    ({ type, parameters }) =>
      /mcpClient/i.test(type) &&
      addresses.some((key) => {
        const given = parameters[key];
        const place = typeof given === 'string' ? placeOf(given) : undefined;
        return place !== undefined && own.has(place);
      }),
  );
}

/** Host and port; this machine has several names for itself. */
function placeOf(url: string): string | undefined {
  if (!URL.canParse(url.replace(/^=/, ''))) return undefined;
  const { protocol, hostname, port } = new URL(url.replace(/^=/, ''));
  const host = loopback.test(hostname) ? 'localhost' : hostname.toLowerCase();
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
