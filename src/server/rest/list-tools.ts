import { z } from 'zod';
import type { Registered } from '../../gateway/registry.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Route } from '../../kernel/route.ts';
import type { RestDeps } from './deps.ts';
import { exchangeOf } from './exchange.ts';
import { answer, queryParameters, rpcResult } from './operation.ts';
import { summaryOf, toolSummary } from './tool-view.ts';
import { visibleTools } from './visible-tools.ts';

const query = z.strictObject({
  category: z.string().optional().describe('Only tools of this category'),
  tags: z.string().optional().describe('Only tools that have all of these tags, separated by commas'),
  source: z.string().optional().describe('Only tools of this server or part'),
  toolset: z.string().optional().describe('Only tools of this toolset'),
  query: z.string().optional().describe('Only tools with all of these words in their name, title or description'),
  limit: z.coerce.number().int().min(1).max(10_000).optional().describe('Most tools to return; default all'),
  cursor: z.string().optional().describe('nextCursor of the previous page; keep the filters the same'),
});

const page = z.object({
  tools: z.array(toolSummary),
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
    handle({ request, principal }) {
      const exchange = exchangeOf(request);
      const result = listedTools(deps, request, principal);
      return exchange.reply({ jsonrpc: '2.0', id: exchange.id, result });
    },
  };
}

/** GET /api/v1/mcp/tools/internal: the same without the JSON-RPC wrapper. */
export function listToolsInternally(deps: RestDeps): Route {
  return {
    path: '/api/v1/mcp/tools/internal',
    scope: 'tools:read',
    handle: ({ request, principal }) => exchangeOf(request).reply(listedTools(deps, request, principal)),
  };
}

function listedTools(deps: RestDeps, request: Request, principal: Principal): z.infer<typeof page> {
  const asked = parseQuery(request);
  const fitting = visibleTools(deps, principal, asked.toolset).filter(filterOf(asked));
  const from = asked.cursor === undefined ? 0 : positionAfter(asked.cursor, fitting);
  const until = from + (asked.limit ?? fitting.length);
  const last = fitting[until - 1];
  return {
    tools: fitting.slice(from, until).map(summaryOf),
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

function filterOf({ category, tags, source, query: words }: z.output<typeof query>): (tool: Registered) => boolean {
  const wantedTags = partsOf(tags, ',');
  const wantedWords = partsOf(words?.toLowerCase(), /\s+/);
  return (tool) => {
    const { entry, wire, name } = tool;
    if (category !== undefined && (entry.category ?? tool.source) !== category) return false;
    if (source !== undefined && tool.source !== source) return false;
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
