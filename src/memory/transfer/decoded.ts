import { AppError } from '../../kernel/errors.ts';

/** The text of a file. Throws if it is none: a wrong guess would store wrong letters. */
export function decoded(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  if (bytes.includes(0)) throw new AppError('invalid_input', 'It is not a text: it contains NUL bytes.');
  try {
    // Also removes the byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError(
      'invalid_input',
      `It is not UTF-8: line ${wrongLine(bytes)} has other bytes. Convert it, e.g. \`iconv -f latin1 -t utf-8\`, and import the result.`,
      { cause: error },
    );
  }
}

/** The first line that is not UTF-8. A line feed is no part of another character in UTF-8. */
function wrongLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, from = 0; ; line++) {
    const end = bytes.indexOf(0x0a, from);
    try {
      decoder.decode(bytes.subarray(from, end === -1 ? undefined : end));
    } catch {
      return line;
    }
    if (end === -1) return line;
    from = end + 1;
  }
}
