import { z } from 'zod';
import { shortened } from '../shortened.ts';
import { idInput, memoryOutput, memoryTool, shownMemory } from '../tool.ts';

/** A reply has the text twice, as data and as text: with both it stays under its limit. */
const MOST_BYTES = 2800;

export const memoryGet = memoryTool({
  name: 'memory_get',
  title: 'Read a memory',
  description: 'Reads a memory in full, in pieces if it is long, with its provenance and earlier versions.',
  phrases:
    'show the whole memory; read that memory in full; the rest of a long memory; full text of a note you remember; who recorded this memory; when was this remembered; where does this memory come from; source of a memory; earlier versions of a memory; history of a memory; details of one memory; what did this memory say before',
  effect: 'read',
  input: z.strictObject({
    id: idInput,
    offset: z.int().min(0).default(0).describe('next_offset of the piece before'),
  }),
  output: memoryOutput.extend({
    text: z.string(),
    characters: z.int().describe('Of the whole text'),
    next_offset: z.int().optional().describe('There is more from here on'),
    versions: z
      .array(z.object({ id: z.string(), recorded_at: z.string(), valid_to: z.string().optional(), text: z.string() }))
      .optional()
      .describe('Others of this memory, newest first'),
  }),
  async run({ id, offset }, { open }, { principal }) {
    const { memory } = await open();
    const [one, versions] = await Promise.all([memory.get(id, principal), memory.versions(id, principal)]);
    const { text, end: next } = pieceOf(one.text, offset);
    const others =
      offset > 0
        ? []
        : versions
            .filter((version) => version.id !== id)
            .toReversed()
            .slice(0, 5);
    return {
      ...shownMemory(one, { full: true }),
      text,
      characters: one.text.length,
      ...(next < one.text.length && { next_offset: next }),
      ...(others.length > 0 && {
        versions: others.map((version) => {
          const { id: other, recorded_at, valid_to } = shownMemory(version);
          const said = shortened(version.text, 80).text;
          return { id: other, recorded_at, ...(valid_to !== undefined && { valid_to }), text: said };
        }),
      }),
    };
  },
});

/** As much as fits from here on, and never half a character. */
function pieceOf(text: string, offset: number): { text: string; end: number } {
  const start = /^[\uDC00-\uDFFF]/.test(text.slice(offset, offset + 1)) ? offset - 1 : offset;
  let end = Math.min(text.length, start + MOST_BYTES);
  while (end > start + 1 && Buffer.byteLength(JSON.stringify(text.slice(start, end))) > MOST_BYTES)
    end = start + Math.max(1, Math.floor((end - start) * 0.8));
  const piece = text.slice(start, end).replace(end < text.length ? /[\uD800-\uDBFF]$/ : /$^/, '');
  return { text: piece, end: start + piece.length };
}
