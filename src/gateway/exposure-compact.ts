import { hints } from '../kernel/effect.ts';
import { AppError } from '../kernel/errors.ts';
import type { Json, ToolSource, WireTool } from '../kernel/source.ts';
import { aliasesOf, exposedName } from './names.ts';
import type { Registered } from './registry.ts';
import { fittingTexts } from '../kernel/reply-size.ts';
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
  const names = namesOf(source, own);
  const find = resolver(
    names,
    own.map(({ entry }) => entry.tool),
    `${source.id}_list`,
    (name) => withheld(`${source.id}:${name}`) ?? withheld(name) ?? withheld(`${source.id}_${name}`),
  );
  const about = `the tools of ${source.id}${source.description === undefined ? '' : ` (${source.description})`}`;
  const search = toolSearch(own, meanings);
  const list: WireTool = {
    name: exposedName('', `${source.id}_list`),
    description: `Lists ${about}: name, parameters, purpose. "query": plain words, best match first. "tool": the whole schema of one. "cursor": from the answer before.`,
    inputSchema: closedSchema({
      query: { type: 'string', maxLength: LONGEST_QUERY },
      tool: { type: 'string' },
      detail: { type: 'string', enum: ['full'] },
      cursor: { type: 'string' },
    }),
    annotations: hints.read,
  };
  const show = async (args: Json) => {
    if (args.tool !== undefined) return text(describe(find(args.tool), true));
    const query = queryIn(args);
    const chosen = query === undefined ? own : await search(query, LISTED);
    const full = isFull(args);
    const items = chosen.map((tool) => (full ? inFull(tool) : signature(tool.entry.tool, tool.wire)));
    return text(pageOf(items, textIn(args, 'cursor')));
  };
  add(list, shows(list, show, ` To call a tool, use ${source.id}_call.`));

  const keys = { tool: 'tool', packed: 'params' } as const;
  const run = (wrapper: string, allowed: readonly Registered[]): Wrapper =>
    calls(
      wrapper,
      keys,
      (name) => names.has(name),
      (name, context, { unknown }) => {
        const tool = find(name, (missing) => unknown(`${source.id}:${missing}`, context));
        if (allowed.includes(tool)) return tool;
        throw new AppError('forbidden', `${tool.entry.tool} changes things; call it through ${source.id}_call.`);
      },
    );
  const readers = own.filter((tool) => tool.entry.effect === 'read');
  const callSchema = {
    tool: { type: 'string' },
    params: { type: 'object' },
  };
  const call: WireTool = {
    name: exposedName('', `${source.id}_call`),
    description: `Calls a tool that ${source.id}_list shows, with its arguments as "params". "confirm": the token, where the first answer gives one.`,
    inputSchema: openSchema({ ...callSchema, confirm: { type: 'string' } }, ['tool']),
    annotations: hints.execute,
  };
  add(call, run(call.name, own));
  if (readers.length === 0 || readers.length === own.length) return;
  const read: WireTool = {
    name: exposedName('', `${source.id}_read`),
    description: `Like ${source.id}_call, for tools that only read.`,
    inputSchema: openSchema(callSchema, ['tool']),
    annotations: hints.read,
  };
  add(read, run(read.name, readers));
}

/** Every name a tool goes by here: `n8n_list_tags` is `list_tags` too, unless another tool is called that. */
function namesOf(source: ToolSource, own: readonly Registered[]): ReadonlyMap<string, Registered> {
  const names = new Map<string, Registered>();
  const prefix = `${source.id}_`;
  for (const tool of own) if (tool.entry.tool.startsWith(prefix)) names.set(tool.entry.tool.slice(prefix.length), tool);
  for (const tool of own) for (const name of [tool.name, ...aliasesOf(source, tool.entry.tool)]) names.set(name, tool);
  for (const tool of own) names.set(tool.entry.tool, tool);
  return names;
}

function isFull({ detail }: Json): boolean {
  if (detail === undefined || detail === 'full') return detail === 'full';
  throw new AppError('invalid_input', '"detail" can only be "full". Leave it out for one line per tool.');
}

const inFull = ({ entry, wire }: Registered): Json => ({
  name: entry.tool,
  description: wire.description ?? '',
  parameters: wire.inputSchema,
});

/** As many tools as a reply holds, and where the next one goes on. */
function pageOf(tools: readonly (string | Json)[], cursor: string | undefined): Json {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0 || (start > 0 && start >= tools.length))
    throw new AppError('invalid_input', 'This cursor belongs to another list. Leave it out to begin anew.');
  const texts = tools.slice(start).map((tool) => (typeof tool === 'string' ? tool : JSON.stringify(tool)));
  const end = start + fittingTexts(texts);
  return {
    tools: tools.slice(start, end),
    ...(end < tools.length && { more: tools.length - end, cursor: String(end) }),
  };
}
