/** A value of a service, cut to what a reply can show. */
export interface Shown {
  readonly value: string;
  /** Set if the bytes are not text. */
  readonly encoding?: 'base64';
  /** The size of the whole value, if only a part is shown. */
  readonly bytes?: number;
  /** Where the part after this one begins, in bytes. */
  readonly next_offset?: number;
}

/** Leaves room for the frame of a reply of 8 KB that has everything twice. */
export const MOST_SHOWN = 3000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Shows bytes as text, or as base64 if they are none. `most` bytes of them, from `offset` on. */
export function shown(bytes: Uint8Array, { offset = 0, most = MOST_SHOWN } = {}): Shown {
  const end = Math.min(bytes.length, offset + most);
  const whole = offset === 0 && end === bytes.length;
  const part = textOf(bytes, offset, end) ?? {
    value: Buffer.from(bytes.subarray(offset, end)).toString('base64'),
    encoding: 'base64' as const,
    end,
  };
  const { end: reached, ...rest } = part;
  return { ...rest, ...(!whole && { bytes: bytes.length }), ...(reached < bytes.length && { next_offset: reached }) };
}

/** The text of these bytes, ended before a character that is cut in two; undefined if they are no text. */
function textOf(bytes: Uint8Array, from: number, to: number): { value: string; end: number } | undefined {
  for (let end = to; end > to - 4 && end >= from; end--) {
    try {
      const value = utf8.decode(bytes.subarray(from, end));
      // A control character besides tab and line ends: a number or a picture, not a text.
      // oxlint-disable-next-line no-control-regex
      return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(value) ? undefined : { value, end };
    } catch {
      if (to === bytes.length) return undefined;
    }
  }
  return undefined;
}

/** A long text with what was left out said at its end. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
