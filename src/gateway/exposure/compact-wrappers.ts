import type { ToolSource, WireTool } from '../../kernel/source.ts';
import { wrapperName } from '../names.ts';
import { openSchema } from './wrapper.ts';

const TEXT = { type: 'string' };

/** They stand in every list, once for each source; the server's instructions explain them once for all. */
const MOST_BYTES = 600;

/**
 * What the wrappers of a source look like: as short as can be. Whoever reads no instructions has to see that tools are
 * found and called here, not what they are for; of that, as much as fits.
 */
export function wrappersOf({ id, description = id }: ToolSource, { reads, pages }: { reads: boolean; pages: boolean }) {
  const callee = { tool: TEXT, params: { type: 'object' } };
  const made = (about?: string) => {
    const says = (words: string) => (about === undefined ? {} : { description: words });
    const list: WireTool = {
      name: wrapperName(id, 'list'),
      description: about ?? 'Finds tools',
      inputSchema: openSchema({ query: TEXT, tool: TEXT, ...(pages && { cursor: TEXT }) }),
      annotations: { readOnlyHint: true },
    };
    const call: WireTool = {
      name: wrapperName(id, 'call'),
      ...says('Calls a tool.'),
      inputSchema: openSchema({ ...callee, confirm: TEXT }),
    };
    const read: WireTool = {
      name: wrapperName(id, 'read'),
      ...says('Only reads.'),
      inputSchema: openSchema(callee),
      annotations: { readOnlyHint: true },
    };
    return reads ? { list, call, read } : { list, call };
  };
  const left = MOST_BYTES - Buffer.byteLength(JSON.stringify(Object.values(made(''))));
  const about = `Finds tools: ${description.startsWith(`${id}: `) ? description.slice(id.length + 2) : description}`;
  return made(cutTo(left, about));
}

/** As much of a text as takes so many bytes in JSON, up to a word's end; undefined where not even one word fits. */
function cutTo(bytes: number, text: string): string | undefined {
  const fits = (one: string) => Buffer.byteLength(JSON.stringify(one)) - 2 <= bytes;
  if (fits(text)) return text;
  const words = text.split(' ');
  const kept = words.findLastIndex((_, at) => fits(`${words.slice(0, at + 1).join(' ')} …`));
  return kept < 0 ? undefined : `${words.slice(0, kept + 1).join(' ')} …`;
}
