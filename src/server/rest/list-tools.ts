import { z } from 'zod';
import { LONGEST_QUERY } from '../../gateway/exposure/wrapper.ts';
import type { Registered } from '../../gateway/registry.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Route } from '../../kernel/route.ts';
import type { Exposure } from '../../kernel/source.ts';
import type { RestDeps } from './deps.ts';
import { exchangeOf } from './exchange.ts';
import { answer, queryParameters, rpcResult } from './operation.ts';
import { briefOf, exposures, summaryOf, toolBrief, toolSummary } from './tool-view.ts';
import { rankedTools, visibleTools } from './visible-tools.ts';

const query = z.strictObject({
  category: z.string().optional().describe('Only tools of this category'),
  tags: z.string().optional().describe('Only tools that have all of these tags, separated by commas'),
  source: z.string().optional().describe('Only tools of this server or part'),
  toolset: z.string().optional().describe('Only tools of this toolset'),
  effect: z.enum(['read', 'create', 'update', 'delete', 'execute']).optional().describe('Only tools with this effect'),
  exposure: z.enum(['flat', 'compact', 'search']).optional().describe('Only tools that MCP clients see in this form'),
  query: z.string().optional().describe('Only tools with all of these words in their name, title or description'),
  wish: z
    .string()
    .max(LONGEST_QUERY)
    .optional()
    .describe('What you want to do, in plain words: only tools that fit, the best first'),
  detail: z
    .enum(['full', 'brief'])
    .optional()
    .describe('brief: no schemas, the beginning of the description, and what the tool costs in each exposure'),
  limit: z.coerce.number().int().min(1).max(10_000).optional().describe('Most tools to return; default all'),
  cursor: z.string().optional().describe('nextCursor of the previous page; keep the filters the same'),
});

const page = z.object({
  tools: z.union([z.array(toolSummary), z.array(toolBrief)]).describe('In the form that detail asks for'),
  total: z.number().describe('Number of tools on all pages'),
  nextCursor: z.string().optional().describe('Cursor of the next page; absent on the last one'),
});

/** GET /api/v1/mcp/tools: every tool the caller may see. */
export function listTools(deps: RestDeps): Route {
  return {
    path: '/api/v1/mcp/tools',
    scope: 'tools:read',
    get openapi() {
      return {
        operationId: 'listTools',
        summary: 'Lists the tools',
        tags: ['tools'],
        parameters: queryParameters(query),
        responses: { 200: answer('The tools', rpcResult(page)) },
      };
    },
    async handle({ request, principal }) {
      const exchange = exchangeOf(request);
      const result = await listedTools(deps, request, principal);
      return exchange.reply({ jsonrpc: '2.0', id: exchange.id, result });
    },
  };
}

/** GET /api/v1/mcp/tools/internal: the same without the JSON-RPC wrapper. */
export function listToolsInternally(deps: RestDeps): Route {
  return {
    path: '/api/v1/mcp/tools/internal',
    scope: 'tools:read',
    handle: async ({ request, principal }) => exchangeOf(request).reply(await listedTools(deps, request, principal)),
  };
}

async function listedTools(deps: RestDeps, request: Request, principal: Principal): Promise<z.infer<typeof page>> {
  const asked = parseQuery(request);
  const { toolset, wish = '' } = asked;
  const exposureOf = exposures(deps, principal, toolset);
  const all =
    wish.trim() === '' ? visibleTools(deps, principal, toolset) : await rankedTools(deps, principal, wish, toolset);
  const fitting = all.filter(filterOf(asked, exposureOf));
  const from = asked.cursor === undefined ? 0 : positionAfter(asked.cursor, fitting);
  const until = from + (asked.limit ?? fitting.length);
  const last = fitting[until - 1];
  return {
    tools:
      asked.detail === 'brief'
        ? fitting.slice(from, until).map((tool) => briefOf(tool, exposureOf(tool)))
        : fitting.slice(from, until).map(summaryOf),
    total: fitting.length,
    ...(until < fitting.length && last && { nextCursor: Buffer.from(last.name).toString('base64url') }),
  };
}

function parseQuery(request: Request): z.output<typeof query> {
  const given = new URL(request.url).searchParams;
  const parsed = query.safeParse(Object.fromEntries(given.keys().map((key) => [key, given.getAll(key).join(',')])));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  const known = Object.keys(query.shape).join(', ');
  throw new AppError('invalid_input', `Invalid query: ${problems.join('; ')}. Known parameters: ${known}.`);
}

function filterOf(
  { category, tags, source, effect, exposure, query: words }: z.output<typeof query>,
  exposureOf: (tool: Registered) => Exposure,
): (tool: Registered) => boolean {
  const wantedTags = partsOf(tags, ',');
  const wantedWords = partsOf(words?.toLowerCase(), /\s+/);
  return (tool) => {
    const { entry, wire, name } = tool;
    if (category !== undefined && (entry.category ?? tool.source) !== category) return false;
    if (source !== undefined && tool.source !== source) return false;
    if (effect !== undefined && entry.effect !== effect) return false;
    if (exposure !== undefined && exposureOf(tool) !== exposure) return false;
    if (!wantedTags.every((tag) => entry.tags?.includes(tag))) return false;
    if (wantedWords.length === 0) return true;
    const text = `${name} ${wire.title ?? ''} ${wire.description ?? ''}`.toLowerCase();
    return wantedWords.every((word) => text.includes(word));
  };
}

function partsOf(text: string | undefined, separator: string | RegExp): string[] {
  return (text ?? '')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A cursor holds the name of the last tool shown, so that tools that come and go do not shift the page. */
function positionAfter(cursor: string, tools: readonly Registered[]): number {
  const name = Buffer.from(cursor, 'base64url').toString();
  const at = tools.findIndex((tool) => tool.name === name);
  if (at !== -1) return at + 1;
  throw new AppError(
    'invalid_input',
    'This cursor is no longer valid: the list has changed. Start again without a cursor.',
  );
}
