import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';

/*
 * A JSON text in three parts: a first line that describes it, the content, and a last line with the checksum of everything
 * before. Lists read only the first line. A text without the last line is incomplete.
 */

const SEAL = /^\n"sha256":"([0-9a-f]{64})"\}\n$/;
const SEAL_BYTES = 78;
const HEAD_BYTES = 4096;
/** The first line holds a name and a few numbers. A file whose first line is longer is not a backup of ours. */
const MOST_HEAD_BYTES = 1024 * 1024;
/** Thousands of rows become a few writes. */
const CHUNK = 64 * 1024;

/** `{...head, <members>, sha256}`, piece by piece. */
export async function* sealed(
  head: object,
  members: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256');
  let texts: string[] = [`${JSON.stringify(head).slice(0, -1)},\n`];
  let length = 0;
  const taken = (): Buffer => {
    const chunk = Buffer.from(texts.join(''));
    hash.update(chunk);
    texts = [];
    length = 0;
    return chunk;
  };
  for await (const member of members) {
    texts.push(member);
    length += member.length;
    if (length >= CHUNK) yield taken();
  }
  texts.push(',');
  yield taken();
  yield Buffer.from(`\n"sha256":"${hash.digest('hex')}"}\n`);
}

/** The same bytes. Throws at their end unless the checksum matches: trust nothing before. */
export async function* verified(id: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256');
  /** What may be the last line. */
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    const all = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
    const end = Math.max(0, all.length - SEAL_BYTES);
    hash.update(all.subarray(0, end));
    tail = all.subarray(end);
    yield chunk;
  }
  if (SEAL.exec(tail.toString('latin1'))?.[1] !== hash.digest('hex')) throw damaged(id);
}

/** Reads all of it. Throws unless the checksum matches. */
export async function readSealed(
  id: string,
  content: AsyncIterable<Buffer>,
): Promise<{ file: Record<string, unknown>; bytes: number }> {
  const all = Buffer.concat(await Array.fromAsync(verified(id, content)));
  const file = parsed(all.toString('utf8'));
  if (!file) throw damaged(id);
  return { file, bytes: all.length };
}

/** Reads the first line, from a place that gives the beginning and the length. Undefined if it is not a backup. */
export async function readHead(
  start: (length: number) => Promise<{ start: Buffer; bytes: number }>,
): Promise<{ head: Record<string, unknown>; bytes: number } | undefined> {
  for (let length = HEAD_BYTES; length <= MOST_HEAD_BYTES; length *= 16) {
    const { start: beginning, bytes } = await start(length);
    const end = beginning.indexOf(',\n');
    if (end >= 0) {
      const head = parsed(`${beginning.toString('utf8', 0, end)}}`);
      return head && { head, bytes };
    }
    if (bytes <= length) return undefined;
  }
  return undefined;
}

const damaged = (id: string): AppError =>
  new AppError(
    'conflict',
    `Cannot use the backup ${shown(id)}: its checksum is missing or does not match, so it is incomplete, or was changed or damaged. Nothing was changed. n8n_list_backups shows others of the same workflow.`,
  );

/** Undefined if it is not JSON. */
export function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
