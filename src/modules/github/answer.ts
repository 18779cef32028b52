import type { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Answered } from '../http.ts';

/** An answer that is not read yet. */
export type Streamed = Answered & { readonly body: AsyncIterable<Buffer> };

/** The whole body, unless it is longer than it may be. */
export async function readAll(body: AsyncIterable<Buffer>, mostBytes: number, at: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes)
      throw new AppError(
        'too_large',
        `${at} answered with more than ${Math.round(mostBytes / 1024)} KB. Ask for less.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export interface Part {
  readonly bytes: Buffer;
  /** Whether the body ends with this part. */
  readonly isLast: boolean;
}

/** `most` bytes of the body from `offset` on. Only they are kept, and nothing is read that comes after them. */
export async function partOf(
  body: AsyncIterable<Buffer>,
  { offset, most }: { offset: number; most: number },
): Promise<Part> {
  const chunks: Buffer[] = [];
  const end = offset + most;
  let at = 0;
  for await (const chunk of body) {
    if (at + chunk.length > offset) chunks.push(chunk.subarray(Math.max(0, offset - at), end - at));
    at += chunk.length;
    if (at > end) return { bytes: Buffer.concat(chunks), isLast: false };
  }
  return { bytes: Buffer.concat(chunks), isLast: true };
}

export function readJson<T>(type: z.ZodType<T>, said: string, { at, setting }: { at: string; setting: string }): T {
  const strange = (cause: unknown) =>
    new AppError(
      'unavailable',
      `${at} answered with something else than GitHub's API documents. Check that ${setting}.url in sluice.yaml leads to the API itself, and not to a proxy or a login page.`,
      { cause },
    );
  let read: unknown;
  try {
    read = said === '' ? undefined : JSON.parse(said);
  } catch (error) {
    throw strange(error);
  }
  const parsed = type.safeParse(read);
  if (parsed.success) return parsed.data;
  throw strange(parsed.error);
}
