import { z } from 'zod';
import { wrapperName } from '../../gateway/names.ts';
import type { Registered } from '../../gateway/registry.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Route } from '../../kernel/route.ts';
import type { Exposure } from '../../kernel/source.ts';
import type { RestDeps } from './deps.ts';
import { exchangeOf } from './exchange.ts';
import { answer } from './operation.ts';
import { costOf } from './tool-cost.ts';
import { exposures } from './tool-view.ts';
import { visibleTools } from './visible-tools.ts';

const sourceCost = z.object({
  source: z.string().describe('A server or a part of Sluice'),
  exposure: z.enum(['flat', 'compact', 'search']).describe('How MCP clients see its tools'),
  tools: z.number(),
  flat: z.number().describe('Bytes in tools/list if all of its tools are listed'),
  compact: z.number().describe('Bytes in tools/list if only its wrappers are listed'),
});

const reply = z.object({
  sources: z.array(sourceCost),
  search: z.number().describe('Bytes of find_tools, describe_tools and call_tool, which stand for any number of tools'),
  total: z
    .object({ now: z.number(), flat: z.number(), compact: z.number(), search: z.number() })
    .describe('Bytes of tools/list as it is now, and if all sources had one exposure'),
});

/** GET /api/v1/mcp/sources: where the tools come from, and what they cost a client. */
export function listSources(deps: RestDeps): Route {
  return {
    path: '/api/v1/mcp/sources',
    scope: 'tools:read',
    get openapi() {
      return {
        operationId: 'listSources',
        summary: 'Lists the sources of the tools, and what they cost a client in each exposure',
        description: 'Costs are in bytes; four bytes are about one token.',
        tags: ['tools'],
        responses: { 200: answer('The sources', reply) },
      };
    },
    handle: ({ request, principal }) => exchangeOf(request).reply(costs(deps, principal)),
  };
}

function costs(deps: RestDeps, principal: Principal): z.infer<typeof reply> {
  const exposureOf = exposures(deps, principal);
  const wrappers = (expose: Exposure) =>
    new Map(
      deps.gateway.visibility
        .projection({ view: { expose }, principal })
        .tools.map((wire) => [wire.name, Buffer.byteLength(JSON.stringify(wire))]),
    );
  const compact = wrappers('compact');
  const ownWrappers = (id: string) =>
    sum((['list', 'call', 'read'] as const).map((does) => compact.get(wrapperName(id, does)) ?? 0));
  const sources = [...Map.groupBy(visibleTools(deps, principal), ({ source }) => source)].map(([source, tools]) => ({
    source,
    exposure: exposureOf(tools[0] as Registered),
    tools: tools.length,
    flat: sum(tools.map((tool) => costOf(tool).flat)),
    compact: ownWrappers(source),
  }));
  const search = sum([...wrappers('search').values()]);
  const isSearched = sources.some(({ exposure }) => exposure === 'search');
  const now = sum(sources.map((one) => (one.exposure === 'search' ? 0 : one[one.exposure])));
  return {
    sources,
    search,
    total: {
      now: now + (isSearched ? search : 0),
      flat: sum(sources.map(({ flat }) => flat)),
      compact: sum(sources.map((one) => one.compact)),
      search,
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
