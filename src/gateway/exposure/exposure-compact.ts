import { AppError } from '../../kernel/errors.ts';
import type { Json, ToolSource, WireTool } from '../../kernel/source.ts';
import { otherNames, wrapperName } from '../names.ts';
import { isListed, type Registered } from '../registry.ts';
import { fittingTexts } from '../../kernel/reply-size.ts';
import { wrappersOf } from './compact-wrappers.ts';
import { signature } from './signature.ts';
import type { ToolMeanings } from './tool-meanings.ts';
import { toolSearch } from './tool-search.ts';
import { calls, closedSchema, describe, resolver, shows, text, queryIn, textIn, type Wrapper } from './wrapper.ts';

const LISTED = 20;

const NOTHING_FITS = 'No tool matches these words. Use others, or leave "query" out for all tools.';

const TEXT = { type: 'string' };

/** Everything the list wrapper accepts. Its schema in tools/list shows only what a model needs. */
const LIST_SCHEMA = closedSchema({ query: TEXT, tool: TEXT, detail: TEXT, cursor: TEXT });

/** Two or three wrappers for a whole source: one lists its tools, one calls them, one calls only tools that read. */
export function addCompact(
  source: ToolSource,
  own: readonly Registered[],
  withheld: (name: string) => AppError | undefined,
  add: (wire: WireTool, wrapper: Wrapper) => void,
  { meanings, isReadOnly = false }: { readonly meanings?: ToolMeanings; readonly isReadOnly?: boolean } = {},
): void {
  const names = namesOf(source, own);
  function absent(name: string): AppError | undefined {
    const why = source.absence?.(name);
    return why === undefined ? undefined : new AppError('not_found', why);
  }
  const listed = own.filter(isListed);
  const find = resolver(
    names,
    listed.map(({ entry }) => entry.tool),
    wrapperName(source.id, 'list'),
    (name) => withheld(`${source.id}:${name}`) ?? withheld(name) ?? withheld(`${source.id}_${name}`) ?? absent(name),
  );
  const search = toolSearch(listed, meanings);
  const readers = own.filter((tool) => reads(tool, {}));
  const line = ({ entry, wire }: Registered) => signature(entry.tool, wire);
  const { list, call, read } = wrappersOf(source, {
    reads: isReadOnly || own.every(({ entry }) => entry.effect === 'read') ? 'all' : readers.length > 0,
  });
  const next = `${list.name} {tool} shows one in full, ${call.name} {tool, params} calls it.`;
  const show = async (args: Json) => {
    if (args.tool !== undefined) return text(describe(find(args.tool), true));
    const query = queryIn(args);
    const chosen = query === undefined ? listed : await search(query, LISTED);
    const cursor = textIn(args, 'cursor');
    if (isFull(args)) return text(chosen.map(inFull));
    return text({ ...pageOf(chosen.map(line), cursor), next: chosen.length === 0 ? NOTHING_FITS : next });
  };
  add(list, shows({ name: list.name, inputSchema: LIST_SCHEMA }, show, ` To call a tool, use ${call.name}.`));

  const keys = { tool: 'tool', packed: 'params' } as const;
  const run = (wrapper: string, allowed: readonly Registered[]): Wrapper =>
    calls(
      wrapper,
      keys,
      (name) => names.has(name),
      (name, context, { unknown }) => {
        const tool = find(name, (missing) => unknown(`${source.id}:${missing}`, context));
        if (allowed.includes(tool)) return tool;
        throw changes(tool);
      },
      (tool, given) => {
        if (wrapper === read?.name && !reads(tool, given)) throw changes(tool);
      },
    );
  const changes = ({ entry }: Registered) =>
    new AppError('forbidden', `${entry.tool} changes things; call it through ${call.name}.`);
  add(call, run(call.name, own));
  if (read) add(read, run(read.name, readers));
}

/** Whether a call with these arguments only reads; without arguments, whether some calls do. */
const reads = ({ entry }: Registered, given: Json): boolean => (entry.judge?.(given) ?? entry).effect === 'read';

/** Every name of a tool here: `n8n_list_tags` is also `list_tags`, unless another tool has that name. */
function namesOf(source: ToolSource, own: readonly Registered[]): ReadonlyMap<string, Registered> {
  const names = new Map<string, Registered>();
  const short = (name: string) => (name.startsWith(`${source.id}_`) ? [name.slice(source.id.length + 1)] : []);
  // Current names are set last, so that they override former names.
  for (const tool of own)
    for (const name of otherNames(tool)) for (const one of [...short(name), name]) names.set(one, tool);
  for (const tool of own) for (const name of [...short(tool.entry.tool), tool.name]) names.set(name, tool);
  for (const tool of own) names.set(tool.entry.tool, tool);
  return names;
}

function isFull({ detail, cursor }: Json): boolean {
  if (detail === undefined) return false;
  if (detail !== 'full')
    throw new AppError('invalid_input', '"detail" can only be "full". Leave it out for one line per tool.');
  if (cursor !== undefined)
    throw new AppError('invalid_input', 'With "detail": "full" the list is whole: leave "cursor" out.');
  return true;
}

const inFull = ({ entry, wire }: Registered): Json => ({
  name: entry.tool,
  description: wire.description ?? '',
  parameters: wire.inputSchema,
});

/** As many lines as fit into a reply, and the cursor of the next page. */
function pageOf(tools: readonly string[], cursor: string | undefined): Json {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0 || (start > 0 && start >= tools.length))
    throw new AppError('invalid_input', 'This cursor belongs to another list. Leave it out to start over.');
  const end = start + fittingTexts(tools.slice(start));
  return {
    tools: tools.slice(start, end),
    ...(end < tools.length && { more: tools.length - end, cursor: String(end) }),
  };
}
