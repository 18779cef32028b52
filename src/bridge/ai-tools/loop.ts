import type { Node } from '../../n8n/client/shapes.ts';
import type { FoundTool } from './ai-tools.ts';
import { placeOf } from '../place.ts';

const addresses = ['endpointUrl', 'sseEndpoint', 'url'] as const;

/** The node of a tool that lists this gateway's tools, if any. Bridged, each tool would be listed again and again. */
export function loopIn({ node, closure }: FoundTool, ownUrls: readonly string[]): Node | undefined {
  const own = new Set(ownUrls.flatMap((url) => placeOf(url) ?? []));
  return [node, ...closure].find(
    ({ type, parameters }) =>
      /mcpClient/i.test(type) &&
      addresses.some((key) => {
        const given = parameters[key];
        const place = typeof given === 'string' ? placeOf(given.replace(/^=/, '')) : undefined;
        return place !== undefined && own.has(place);
      }),
  );
}
