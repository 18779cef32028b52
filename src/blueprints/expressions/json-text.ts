import { type CelValue, isCelList, isCelMap, isCelType, isCelUint } from '@bufbuild/cel';
import { AppError } from '../../kernel/errors.ts';
import { tooLarge } from './limits.ts';
import { originalOf } from './scope-values.ts';

/** Objects in results of tools are rarely deeper than ten levels. */
const DEEPEST = 200;

/** A value of CEL as JSON text. Stops as soon as the text has more than `most` characters. */
export function jsonText(value: CelValue, most: number, textOf: (value: CelValue) => string): string {
  const pieces: string[] = [];
  let length = 0;
  const write = (piece: string): void => {
    length += piece.length;
    if (length > most) throw tooLarge();
    pieces.push(piece);
  };
  const writeText = (text: string): void => {
    if (length + text.length > most) throw tooLarge();
    write(JSON.stringify(text));
  };

  const each = (one: CelValue, depth: number): void => {
    if (depth > DEEPEST) throw new AppError('invalid_input', `The value is nested more than ${DEEPEST} levels deep.`);
    if (one === null || typeof one === 'boolean') return write(String(one));
    if (typeof one === 'string') return writeText(one);
    if (typeof one === 'bigint') return write(whole(one));
    if (isCelUint(one)) return write(whole(one.value));
    if (typeof one === 'number') return write(finite(one));
    if (one instanceof Uint8Array) return writeText(Buffer.from(one).toString('base64'));
    if (isCelType(one)) return writeText(one.name);
    // Ten times as fast for what an expression only passes on.
    const original = originalOf(one);
    if (original !== undefined) return write(JSON.stringify(original));
    if (isCelList(one)) {
      let before = '[';
      for (const item of one) {
        write(before);
        each(item, depth + 1);
        before = ',';
      }
      return write(before === '[' ? '[]' : ']');
    }
    if (isCelMap(one)) {
      let before = '{';
      for (const [key, item] of one) {
        if (typeof key !== 'string') throw notText();
        write(before);
        writeText(key);
        write(':');
        each(item, depth + 1);
        before = ',';
      }
      return write(before === '{' ? '{}' : '}');
    }
    writeText(textOf(one));
  };

  each(value, 0);
  return pieces.join('');
}

function whole(value: bigint): string {
  if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER))
    throw new AppError('invalid_input', 'The value is a whole number that JSON cannot hold exactly. Write string(x).');
  return value.toString();
}

function finite(value: number): string {
  if (!Number.isFinite(value))
    throw new AppError('invalid_input', 'The value is not a finite number, for example because of a division by zero.');
  return JSON.stringify(value);
}

const notText = (): AppError =>
  new AppError('invalid_input', 'The value is an object with a key that is not text. Write string(x) for the key.');
