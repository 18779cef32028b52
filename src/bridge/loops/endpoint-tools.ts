import { exposedName } from '../../gateway/names.ts';
import type { Found } from '../discover.ts';
import { toolKey } from '../ai-tools/endpoint-names.ts';
import type { EndpointState } from '../ai-tools/endpoint-state.ts';
import type { Endpoint } from '../ai-tools/generate/endpoint-group.ts';
import { leadsOf } from './leads.ts';
import { within } from './loops.ts';
import type { LeadingTool } from './risk.ts';

/** The listed AI tools of one n8n, and what they call. Leaves out those whose workflow was not scanned yet. */
export function endpointTools(
  instance: string,
  { endpoints, sources }: Pick<EndpointState, 'endpoints' | 'sources'>,
  found: readonly Found[],
): LeadingTool[] {
  const byId = new Map(found.map((one) => [one.id, one]));
  return endpoints.flatMap((endpoint) => {
    const slug = Object.hasOwn(sources, endpoint.source) ? sources[endpoint.source]?.slug : undefined;
    const source = byId.get(endpoint.source);
    if (slug === undefined || !source) return [];
    return endpoint.listed.map((listed): LeadingTool => {
      const keys = keysOf(listed, endpoint);
      const nodes = source.aiTools
        .filter(({ node }) => keys.has(toolKey(node)))
        .flatMap(({ node, closure }) => [node, ...closure]);
      const leads = leadsOf(nodes);
      const name = exposedName(slug, listed);
      return { key: name, name, source: slug, workflows: [], ...(leads && { leads: within(instance, leads) }) };
    });
  });
}

/** Some node types choose their own tool name. An unknown name may be any tool that is not listed under its own name. */
function keysOf(listed: string, { tools, listed: all }: Endpoint): ReadonlySet<string> {
  const named = tools.filter(({ name }) => name === listed);
  const meant = named.length > 0 ? named : tools.filter(({ name }) => !all.includes(name));
  return new Set(meant.map(({ key }) => key));
}
