import { hints } from '../kernel/effect.ts';
import { AppError } from '../kernel/errors.ts';
import type { Json, ToolSource, WireTool } from '../kernel/source.ts';
import { confirmProperty } from '../kernel/tool.ts';
import { aliasesOf, exposedName } from './names.ts';
import type { Registered } from './registry.ts';
import { fittingTexts } from '../kernel/reply-size.ts';
import { signature } from './signature.ts';
import type { ToolMeanings } from './tool-meanings.ts';
import { toolSearch } from './tool-search.ts';
import {
  describe,
  inner,
  innerContext,
  LONGEST_QUERY,
  objectSchema,
  resolver,
  text,
  queryIn,
  textIn,
  type Wrapper,
} from './wrapper.ts';

const LISTED = 20;

/** Two or three tools for a whole source: one lists its tools, one calls them, one calls those that only read. */
export function addCompact(
  source: ToolSource,
  own: readonly Registered[],
  withheld: (name: string) => AppError | undefined,
  add: (wire: WireTool, wrapper: Wrapper) => void,
  meanings?: ToolMeanings,
): void {
  const short = new Map(own.map((tool) => [tool.entry.tool, tool]));
  const full = own.flatMap((tool) =>
    [tool.name, ...aliasesOf(source, tool.entry.tool)].map((name) => [name, tool] as const),
  );
  const find = resolver(
    new Map([...full, ...short]),
    [...short.keys()],
    `${source.id}_list`,
    (name) => withheld(`${source.id}:${name}`) ?? withheld(name),
  );
  const about = `the tools of ${source.id}${source.description === undefined ? '' : ` (${source.description})`}`;
  const search = toolSearch(own, meanings);
  add(
    {
      name: exposedName('', `${source.id}_list`),
      title: `List ${source.id}`,
      description: `Lists ${about}, one line each: name, parameters, purpose. With "query", the best matches; with "tool", that tool's full schema; with "cursor", what did not fit before.`,
      inputSchema: objectSchema({
        query: { type: 'string', maxLength: LONGEST_QUERY, description: 'Plain words to search by' },
        tool: { type: 'string', description: 'A tool whose schema to show' },
        cursor: { type: 'string', description: 'From the answer before' },
      }),
      annotations: { title: `List ${source.id}`, ...hints.read },
    },
    async ({ arguments: args = {} }) => {
      if (args.tool !== undefined) return text(describe(find(args.tool), true));
      const query = queryIn(args);
      const chosen = query === undefined ? own : await search(query, LISTED);
      const lines = chosen.map((tool) => signature(tool.entry.tool, tool.wire));
      return text(pageOf(lines, textIn(args, 'cursor')));
    },
  );
  const run = (allowed: readonly Registered[], verb: string): Wrapper => {
    return async ({ arguments: args = {}, ...params }, context, { call, unknown }) => {
      const tool = find(args.tool, (name) => unknown(`${source.id}:${name}`, context));
      if (!allowed.includes(tool))
        throw new AppError('forbidden', `${tool.entry.tool} changes things; call it through ${source.id}_call.`);
      return call(tool, inner(tool, args.params, params, verb), innerContext(context, args.confirm));
    };
  };
  const readers = own.filter((tool) => tool.entry.effect === 'read');
  const callSchema = {
    tool: { type: 'string', description: `A name from ${source.id}_list` },
    params: { type: 'object', description: "The tool's arguments" },
  };
  add(
    {
      name: exposedName('', `${source.id}_call`),
      title: `Call ${source.id}`,
      description: `Calls one of ${about}. ${source.id}_list shows the names and, with "tool", the schema of "params".`,
      inputSchema: objectSchema({ ...callSchema, confirm: confirmProperty }, ['tool']),
      annotations: { title: `Call ${source.id}`, ...hints.execute },
    },
    run(own, 'params'),
  );
  if (readers.length === 0 || readers.length === own.length) return;
  add(
    {
      name: exposedName('', `${source.id}_read`),
      title: `Read ${source.id}`,
      description: `Like ${source.id}_call, for the tools that only read.`,
      inputSchema: objectSchema(callSchema, ['tool']),
      annotations: { title: `Read ${source.id}`, ...hints.read },
    },
    run(readers, 'params'),
  );
}

/** As many lines as a reply holds, and where the next one goes on. */
function pageOf(lines: readonly string[], cursor: string | undefined): Json {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0 || (start > 0 && start >= lines.length))
    throw new AppError('invalid_input', 'This cursor belongs to another list. Leave it out to begin anew.');
  const end = start + fittingTexts(lines.slice(start));
  return {
    tools: lines.slice(start, end),
    ...(end < lines.length && { more: lines.length - end, cursor: String(end) }),
  };
}
