import { hints } from '../../kernel/effect.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Json, WireTool } from '../../kernel/source.ts';
import { confirmProperty } from '../../kernel/tool.ts';
import { otherNames } from '../names.ts';
import { isListed, type Registered } from '../registry.ts';
import { fittingTexts } from '../../kernel/reply-size.ts';
import { signature } from './signature.ts';
import type { ToolMeanings } from './tool-meanings.ts';
import { toolSearch } from './tool-search.ts';
import {
  calls,
  closedSchema,
  describe,
  LONGEST_QUERY,
  openSchema,
  resolver,
  shows,
  text,
  queryIn,
  type Wrapper,
} from './wrapper.ts';

const FOUND = 10;
const MOST_FOUND = 50;
const DESCRIBED = 20;

/** Three wrappers for everything: find, describe, call. */
export function addSearch(
  all: readonly Registered[],
  withheld: (name: string) => AppError | undefined,
  add: (wire: WireTool, wrapper: Wrapper) => void,
  meanings?: ToolMeanings,
): void {
  const searched = all.filter(isListed);
  const reach = new Map(all.map((tool) => [tool.name, tool]));
  for (const tool of all) for (const other of otherNames(tool)) if (!reach.has(other)) reach.set(other, tool);
  const find = resolver(
    reach,
    searched.map(({ name }) => name),
    'find_tools',
    withheld,
  );
  const search = toolSearch(searched, meanings);
  const findTools: WireTool = {
    name: 'find_tools',
    title: 'Find tools',
    description: `Finds the right ones among ${searched.length} tools by plain words, one line each. Then use describe_tools for schemas, call_tool to call.`,
    inputSchema: closedSchema(
      {
        query: { type: 'string', maxLength: LONGEST_QUERY, description: 'What you want to do' },
        limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND, description: `At most this many (${FOUND})` },
      },
      ['query'],
    ),
    annotations: { title: 'Find tools', ...hints.read },
  };
  add(
    findTools,
    shows(findTools, async (args) => {
      const query = queryIn(args);
      if (query === undefined)
        throw new AppError('invalid_input', 'find_tools needs "query": say in plain words what you want to do.');
      const lines = (await search(query, limitIn(args))).map((tool) => signature(tool.name, tool.wire));
      const kept = fittingTexts(lines);
      return text({ tools: lines.slice(0, kept), ...(kept < lines.length && { more: lines.length - kept }) });
    }),
  );
  const describeTools: WireTool = {
    name: 'describe_tools',
    title: 'Describe tools',
    description: 'The full description and schema of tools that find_tools named.',
    inputSchema: closedSchema(
      { names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: DESCRIBED } },
      ['names'],
    ),
    annotations: { title: 'Describe tools', ...hints.read },
  };
  add(
    describeTools,
    shows(describeTools, (args) => {
      if (!Array.isArray(args.names))
        throw new AppError('invalid_input', 'describe_tools needs "names": a list of tool names.');
      const described = args.names.slice(0, DESCRIBED).map((name) => describe(find(name), false));
      const kept = fittingTexts(described.map((tool) => JSON.stringify(tool)));
      const more = args.names.slice(kept);
      return text({ tools: described.slice(0, kept), ...(more.length > 0 && { more }) });
    }),
  );
  const callTool: WireTool = {
    name: 'call_tool',
    title: 'Call a tool',
    description: 'Calls a tool that find_tools named, with arguments as describe_tools shows them.',
    inputSchema: openSchema({ name: { type: 'string' }, arguments: { type: 'object' }, confirm: confirmProperty }, [
      'name',
    ]),
    annotations: { title: 'Call a tool', ...hints.execute },
  };
  add(
    callTool,
    calls(
      callTool.name,
      { tool: 'name', packed: 'arguments' },
      (name) => reach.has(name),
      (name, context, { unknown }) => find(name, (missing) => unknown(missing, context)),
    ),
  );
}

function limitIn({ limit = FOUND }: Json): number {
  if (typeof limit !== 'number') throw new AppError('invalid_input', '"limit" must be a number.');
  return Math.min(MOST_FOUND, Math.max(1, Math.trunc(limit)));
}
