import { AppError } from '../../../kernel/errors.ts';
import type { Shown } from '../../shown.ts';
import type { Send } from '../connection.ts';
import { noKey } from '../found.ts';
import { bytesIn, bytesListIn, listIn, numberIn, type Reply, textIn } from '../replies.ts';
import { viewed } from '../view.ts';

const MOST_BYTES = 2 * 1024 * 1024;

/** A part of a JSON document as text. The document is measured first, because Redis sends it whole. */
export async function jsonText(send: Send, key: Buffer, path: string, offset: number, beside = ''): Promise<Shown> {
  const size = sizeIn(await send('JSON.DEBUG', 'MEMORY', key, path));
  if (size > MOST_BYTES) throw await tooLarge(send, key, path, size);
  const text = await send('JSON.GET', key, path);
  if (text === null) throw noKey(key);
  const bytes = bytesIn(text);
  return viewed(bytes.subarray(offset), { offset, total: bytes.length, beside });
}

/** A number for the old paths, a list with one for each match for the new ones. */
const sizeIn = (reply: Reply): number =>
  Array.isArray(reply)
    ? listIn(reply).reduce<number>((sum, one) => sum + (one === null ? 0 : numberIn(one)), 0)
    : numberIn(reply ?? '0');

async function tooLarge(send: Send, key: Buffer, path: string, size: number): Promise<AppError> {
  const [keys] = await send('JSON.OBJKEYS', key, path).then(listIn, () => []);
  const names = Array.isArray(keys) ? bytesListIn(keys as Reply).map(textIn) : [];
  const hint = names.length > 0 ? ` It has the keys ${names.slice(0, 20).join(', ').slice(0, 500)}.` : '';
  return new AppError(
    'too_large',
    `This is about ${Math.round(size / 1024)} KB of JSON. Name a part of it with path, such as $.name or $.items[0].${hint}`,
  );
}
