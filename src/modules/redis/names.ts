import { isUtf8 } from 'node:buffer';
import { AppError } from '../../kernel/errors.ts';
import { allowed } from '../allowed.ts';

const ENCODED = 'base64:';

/** A key, field or member as text. Bytes that are not text are shown as `base64:…`, and can be given back like that. */
export function nameOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return needsEncoding(buffer) ? `${ENCODED}${buffer.toString('base64')}` : buffer.toString('utf8');
}

/** The bytes of a name that `nameOf` wrote or that a caller made up. */
export function bytesOf(name: string): Buffer {
  if (!name.startsWith(ENCODED)) return Buffer.from(name);
  const encoded = name.slice(ENCODED.length);
  const bytes = Buffer.from(encoded, 'base64');
  const isOurs = bytes.toString('base64') === encoded && needsEncoding(bytes);
  return isOurs ? bytes : Buffer.from(name);
}

// A text that looks like an encoded name is encoded, too, so that every name comes back as it was.
const needsEncoding = (bytes: Buffer) => !isUtf8(bytes) || bytes.subarray(0, ENCODED.length).toString() === ENCODED;

/** The keys or channels in reach: those of the list, and never Sluice's own. */
export interface Names {
  has(bytes: Uint8Array): boolean;
  /** The bytes of a name. Throws if it is out of reach. */
  need(name: string): Buffer;
  /** Whether there is a list. */
  readonly isRestricted: boolean;
}

export interface NamesOptions {
  readonly globs: readonly string[] | undefined;
  readonly what: 'key' | 'channel';
  readonly setting: string;
  /** How Sluice's own names begin. */
  readonly own: string;
}

export function namesInReach({ globs, what, setting, own }: NamesOptions): Names {
  const list = allowed(globs, what, setting);
  const prefix = Buffer.from(own);
  const isOwn = (bytes: Uint8Array) => prefix.equals(bytes.subarray(0, prefix.length));
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  return {
    isRestricted: globs !== undefined,
    has: (bytes) => !isOwn(bytes) && (globs === undefined || list.has(text(bytes))),
    need(name) {
      const bytes = bytesOf(name);
      if (isOwn(bytes))
        throw new AppError(
          'forbidden',
          `The ${what} ${name.slice(0, 200)} belongs to Sluice itself and is out of reach.`,
        );
      list.need(text(bytes));
      return bytes;
    },
  };
}
