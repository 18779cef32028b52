import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainBody, shownBody } from './body-text.ts';

test('a body is shown without the comments of its template', () => {
  expect(plainBody('<!-- Describe\nthe bug -->\r\n\r\n\r\nIt hangs.\r\n<!-- x -->\r\n')).toBe('It hangs.');
  expect(plainBody(null)).toBe('');
});

test('a comment that is never closed is shown, however often one begins', () => {
  expect(plainBody('a <!-- b --> c <!-- d')).toBe('a  c <!-- d');
  const many = '<!--'.repeat(250_000);
  // Minutes, if the end were looked for from each beginning.
  expect(plainBody(many)).toBe(many);
});

test('a short body is shown whole, none is left out', () => {
  expect(shownBody('Hello', 10)).toEqual({ body: 'Hello' });
  expect(shownBody('', 10)).toEqual({});
  expect(shownBody(undefined, 10)).toEqual({});
});

test('the parts of a long body are the whole, and no character is cut in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 2, max: 9 }), (text, most) => {
      let whole = '';
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const { body = '', next_offset } = shownBody(text, most, offset);
        expect(body.isWellFormed()).toBe(true);
        whole += body;
        offset = next_offset;
      }
      expect(whole).toBe(plainBody(text));
    }),
  );
});
