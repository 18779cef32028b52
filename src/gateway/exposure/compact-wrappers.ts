import type { ToolSource, WireTool } from '../../kernel/source.ts';
import { wrapperName } from '../names.ts';
import { openSchema } from './wrapper.ts';

const TEXT = { type: 'string' };

/** Every tools/list has these wrappers once for each source, so they must be short. The instructions explain them. */
const MOST_BYTES = 600;

/**
 * The wrappers of a source, as short as possible. A client that ignores the instructions must still see that tools are
 * found here and called there, so the first one says both, and what the tools are for, cut to what fits. A cursor is
 * not in the schema: the reply that has one says what to do with it. `reads` is whether some or all of them only read.
 */
export function wrappersOf({ id, description = id }: ToolSource, { reads }: { reads: boolean | 'all' }) {
  const callee = { tool: TEXT, params: { type: 'object' } };
  const made = (about?: string) => {
    const list: WireTool = {
      name: wrapperName(id, 'list'),
      description: about ?? 'Finds tools',
      inputSchema: openSchema({ query: TEXT, tool: TEXT }),
      annotations: { readOnlyHint: true },
    };
    const call: WireTool = {
      name: wrapperName(id, 'call'),
      inputSchema: openSchema({ ...callee, confirm: TEXT }),
      ...(reads === 'all' && { annotations: { readOnlyHint: true } }),
    };
    const read: WireTool = {
      name: wrapperName(id, 'read'),
      inputSchema: openSchema(callee),
      annotations: { readOnlyHint: true },
    };
    return reads === true ? { list, call, read } : { list, call };
  };
  const left = MOST_BYTES - Buffer.byteLength(JSON.stringify(Object.values(made(''))));
  const inside = description.startsWith(`${id}: `) ? description.slice(id.length + 2) : description;
  return made(cutTo(left, `Finds tools for ${wrapperName(id, 'call')}. ${inside}`));
}

/** Cuts a text at the end of a word, so that it takes at most this many bytes in JSON; undefined if no word fits. */
function cutTo(bytes: number, text: string): string | undefined {
  const fits = (one: string) => Buffer.byteLength(JSON.stringify(one)) - 2 <= bytes;
  if (fits(text)) return text;
  const words = text.split(' ');
  const kept = words.findLastIndex((_, at) => fits(`${words.slice(0, at + 1).join(' ')} …`));
  return kept < 0 ? undefined : `${words.slice(0, kept + 1).join(' ')} …`;
}
