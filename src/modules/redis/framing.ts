import type { Framing } from '../../kernel/message-limit.ts';

/** Enough for the type and the length. */
const HEADER = 24;
/** `+\r\n` */
const LEAST_ELEMENT = 3;

/**
 * Redis's protocol (https://redis.io/docs/latest/develop/reference/protocol-spec/): lines, of which some say how many
 * bytes follow, or how many elements. A driver makes room for elements as soon as it knows their number.
 */
export const redisFraming: Framing = (most) => {
  let arrived = 0;
  let elements = 1;
  let header = '';
  /** Of the text that is being read, with its line break. */
  let left = 0;

  function ended(line: string): void {
    const number = Number.parseInt(line.slice(1), 10);
    elements -= 1;
    if ('$=!'.includes(line[0] as string) && number >= 0) left = number + 2;
    else if ('*~>'.includes(line[0] as string) && number > 0) elements += number;
    else if ('%|'.includes(line[0] as string) && number > 0) elements += 2 * number;
  }

  return (piece) => {
    let start = 0;
    for (let at = 0; at < piece.length; ) {
      const from = at;
      if (left > 0) {
        at = Math.min(piece.length, at + left);
        left -= at - from;
      } else {
        const end = piece.indexOf(10, at);
        at = end === -1 ? piece.length : end + 1;
        header += piece.toString('latin1', from, Math.min(at, from + HEADER - header.length));
        if (end !== -1) {
          ended(header);
          header = '';
        }
      }
      arrived += at - from;
      if (arrived + left + elements * LEAST_ELEMENT > most) return start;
      if (elements > 0 || left > 0 || header !== '') continue;
      arrived = 0;
      elements = 1;
      start = at;
    }
    return -1;
  };
};
