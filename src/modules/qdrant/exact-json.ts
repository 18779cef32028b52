import { randomUUID } from 'node:crypto';
import type { Codec } from '../http.ts';

/** No text from outside has it. */
const MARK = randomUUID();
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g');
/** Texts, which are left alone, and numbers. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/**
 * Ids of points have 64 bits, and hashes use all of them, but JavaScript rounds whole numbers from 2^53 on. Such numbers are read
 * as texts with all their digits, and written from bigint.
 */
export const exactJson: Codec = {
  parse(text) {
    const exact = /\d{16}/.test(text)
      ? text.replace(TOKEN, (token) =>
          /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
        )
      : text;
    return JSON.parse(exact) as unknown;
  },
  stringify(value) {
    const marked = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${MARK}${one}` : one));
    return marked.replace(MARKED, '$1');
  },
};
