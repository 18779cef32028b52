import { AppError } from '../../kernel/errors.ts';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import type { Memory } from '../engine.ts';
import { lineOf } from './own-lines.ts';
import { markdownOf } from './own-markdown.ts';

const AT_ONCE = 100;
/** A reply has the text twice, as data and as text: with both it stays under its limit. */
const REPLY_BYTES = 7600;

type Group = { readonly root: Memory; readonly versions: readonly Memory[] };

/** The next piece of an export. Joined, the pieces are the whole. */
export async function exportPiece(asked: {
  whole(
    limit: number,
    after: string | undefined,
  ): Promise<{ readonly groups: readonly Group[]; readonly last: string | undefined }>;
  readonly namespace: string | undefined;
  readonly format: 'jsonl' | 'markdown';
  readonly cursor: string | undefined;
  readonly characters: number | undefined;
}) {
  const { namespace, format, cursor, characters } = asked;
  const filter = { namespace, format };
  const place = placeIn('memory_export', filter, cursor);
  const [start = '', size] = (place.next ?? '').split(' ');
  const fits = (text: string) => (characters === undefined ? bytesOf(text) <= REPLY_BYTES : text.length <= characters);
  let content = '';
  let memories = 0;
  let after = start === '' ? undefined : start;
  let { skip } = place;
  const stoppedAt = (group: string, offset: number) => ({
    content,
    memories,
    cursor: cursorFor('memory_export', filter, { next: `${after ?? ''} ${group.length}`, skip: offset }),
  });
  for (;;) {
    const { groups, last } = await asked.whole(AT_ONCE, after);
    for (const { root, versions } of groups) {
      const text = textOf(versions, format);
      if (skip > 0 && Number(size) !== text.length)
        throw new AppError('conflict', 'The memory at which the export was has changed. Start the export again.');
      const rest = text.slice(skip);
      if (!fits(content + rest)) {
        if (content !== '') return stoppedAt(text, skip);
        content = pieceOf(rest.slice(0, characters ?? REPLY_BYTES), fits);
        if (content.length < rest.length) return stoppedAt(text, skip + content.length);
      } else content += rest;
      skip = 0;
      memories += 1;
      after = root.id;
    }
    if (last === undefined) return { content, memories };
    after = last;
  }
}

const textOf = (versions: readonly Memory[], format: 'jsonl' | 'markdown'): string =>
  format === 'jsonl'
    ? versions.map((version) => `${lineOf(version)}\n`).join('')
    : versions.slice(-1).map(markdownOf).join('');

function bytesOf(text: string): number {
  const json = JSON.stringify(text);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** As much as fits, and never half a character. */
function pieceOf(text: string, fits: (text: string) => boolean): string {
  let [least, most] = [1, text.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(text.slice(0, middle))) least = middle;
    else most = middle - 1;
  }
  const piece = text.slice(0, least).replace(/[\uD800-\uDBFF]$/, '');
  return piece === '' ? text.slice(0, 2) : piece;
}
