import { describe, expect, test } from 'vitest';
import {
  buildParamHeaders,
  decodeHeader,
  encodeHeader,
  type ParamHeader,
  paramHeaderMismatch,
  paramHeadersOf,
} from './param-headers.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const region = { type: 'string', 'x-mcp-header': 'Region' };

describe('declarations', () => {
  test('are found on plain properties, nested ones included', () => {
    const schema = object({
      region,
      other: { type: 'string' },
      options: object({
        dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
        deep: object({ n: { type: 'integer', 'x-mcp-header': 'N' } }),
      }),
    });
    expect(paramHeadersOf(schema)).toEqual([
      { path: ['region'], header: 'Region' },
      { path: ['options', 'dry'], header: 'Dry-Run' },
      { path: ['options', 'deep', 'n'], header: 'N' },
    ]);
  });

  test.each([undefined, true, {}, object({ a: { type: 'string' } })])('there are none in %j', (schema) => {
    expect(paramHeadersOf(schema)).toEqual([]);
  });

  test.each<[string, object, RegExp]>([
    ['on the schema itself', { type: 'object', 'x-mcp-header': 'X' }, /the schema itself is not on a plain property/],
    ['in an array', object({ list: { type: 'array', items: region } }), /not on a plain property/],
    ['in an alternative', object({ a: { anyOf: [object({ region })] } }), /not on a plain property/],
    ['in a definition', object({}, { $defs: { r: region } }), /not on a plain property/],
    ['in a pattern', object({}, { patternProperties: { '^x': region } }), /not on a plain property/],
    ['on an object', object({ a: object({}, { 'x-mcp-header': 'A' }) }), /needs a string, integer or boolean/],
    [
      'on a number, which has no one spelling',
      object({ a: { type: 'number', 'x-mcp-header': 'A' } }),
      /needs a string, integer or boolean/,
    ],
    ['with a space', object({ a: { type: 'string', 'x-mcp-header': 'A B' } }), /is not a header name/],
    ['with a line break', object({ a: { type: 'string', 'x-mcp-header': 'A\r\nHost: b' } }), /is not a header name/],
    ['that is empty', object({ a: { type: 'string', 'x-mcp-header': '' } }), /is not a header name/],
    [
      'twice, differing in case',
      object({ a: region, b: { type: 'string', 'x-mcp-header': 'REGION' } }),
      /declared twice/,
    ],
  ])('%s are refused', (_, schema, words) => {
    expect(paramHeadersOf(schema)).toEqual({ invalid: expect.stringMatching(words) as string });
  });
});

describe('header values', () => {
  test.each(['plain', 'a b', 'us-west1', 'with\ttab'])('%j is sent unchanged', (value) => {
    expect(encodeHeader(value)).toBe(value);
  });

  test.each(['', ' padded', 'padded ', 'ü', '日本', 'a\r\nb: c', '\u0000', '=?base64?YQ==?='])(
    '%j is encoded, and comes back',
    (value) => {
      const encoded = encodeHeader(value);
      expect(encoded).toMatch(/^=\?base64\?[A-Za-z0-9+/=]*\?=$/);
      expect(decodeHeader(encoded)).toBe(value);
    },
  );

  test.each(['=?base64?YQ?=', '=?base64?Y Q==?=', '=?base64?****?=', '=?base64?/w==?='])(
    '%s is no encoding of anything',
    (value) => {
      expect(decodeHeader(value)).toBeUndefined();
    },
  );

  test('a value without the marker is not decoded', () => {
    expect(decodeHeader('YQ==')).toBe('YQ==');
  });
});

describe('the headers of a call', () => {
  const declared: ParamHeader[] = [
    { path: ['region'], header: 'Region' },
    { path: ['options', 'dry'], header: 'Dry-Run' },
    { path: ['n'], header: 'N' },
  ];

  test('follow from its arguments', () => {
    expect(buildParamHeaders(declared, { region: 'ü', options: { dry: false }, n: 42 })).toEqual({
      'mcp-param-region': encodeHeader('ü'),
      'mcp-param-dry-run': 'false',
      'mcp-param-n': '42',
    });
    expect(buildParamHeaders(declared, { region: null, options: 'no object', n: 2 ** 60 })).toEqual({});
    expect(buildParamHeaders(declared, undefined)).toEqual({});
  });

  test('that match the arguments are accepted', () => {
    const args = { region: 'ü', options: { dry: true }, n: 42 };
    expect(paramHeaderMismatch(declared, args, buildParamHeaders(declared, args))).toBeUndefined();
    expect(paramHeaderMismatch(declared, {}, { 'mcp-param-unknown': 'x' })).toBeUndefined();
  });

  test.each<[string, object, Record<string, string>, RegExp]>([
    ['absent', { region: 'eu' }, {}, /carries region but the Mcp-Param-Region header is absent/],
    ['different', { region: 'eu' }, { 'mcp-param-region': 'us' }, /disagree/],
    ['different in case', { region: 'eu' }, { 'mcp-param-region': 'EU' }, /disagree/],
    ['broken', { region: 'eu' }, { 'mcp-param-region': '=?base64?x?=' }, /not valid base64/],
    ['not a number', { n: 42 }, { 'mcp-param-n': '42abc' }, /disagree/],
    ['another boolean', { options: { dry: true } }, { 'mcp-param-dry-run': '1' }, /disagree/],
  ])('that are %s are a mismatch', (_, args, headers, words) => {
    expect(paramHeaderMismatch(declared, args, headers)).toMatch(words);
  });
});
