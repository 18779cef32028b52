import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell, Column } from '../../client/data-tables.ts';
import { cellsIn } from './check.ts';
import { columnName } from './names.ts';
import { createCsvParser, CsvError, type CsvRecord, delimiterIn } from './parse.ts';
import { readCsv } from './read-text.ts';
import { csvLine } from './write.ts';

function parsed(csv: string, delimiter = ',', pieces = [csv]): CsvRecord[] {
  const parser = createCsvParser(delimiter);
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

const fields = (csv: string, delimiter?: string) => parsed(csv, delimiter).map((record) => record.fields);

describe('reading CSV', () => {
  test.each<[string, string, (string | null)[][]]>([
    ['quoted fields', 'a,"b, c","say ""hi"""\n', [['a', 'b, c', 'say "hi"']]],
    [
      'line breaks in quotes',
      'a,"1\r\n2"\r\nb,c\r\n',
      [
        ['a', '1\r\n2'],
        ['b', 'c'],
      ],
    ],
    ['no value, and an empty text', 'a,,""\n', [['a', null, '']]],
    ['all kinds of line breaks, and none at the end', 'a\nb\rc\r\nd', [['a'], ['b'], ['c'], ['d']]],
    ['a byte order mark', '\u{FEFF}"a",b\n', [['a', 'b']]],
    ['empty lines', '\n\na\n\r\n\nb\n\n', [['a'], ['b']]],
    ['a quote inside a bare field', '5" pipe,b\n', [['5" pipe', 'b']]],
    ['a delimiter at the end', 'a,\n', [['a', null]]],
    ['a quoted field at the end', 'a,"b"', [['a', 'b']]],
    ['nothing', '', []],
  ])('takes %s', (_, csv, expected) => {
    expect(fields(csv)).toEqual(expected);
  });

  test('takes any delimiter', () => {
    expect(fields('a;"b;c";d,e\n', ';')).toEqual([['a', 'b;c', 'd,e']]);
  });

  test('knows the line on which each record begins', () => {
    expect(parsed('a\n"b\r\nb\rb"\r\n\nc\n').map(({ line }) => line)).toEqual([1, 2, 6]);
  });

  test('says where it cannot go on', () => {
    expect(() => parsed('a\n"b" x\n')).toThrow(CsvError);
    expect(() => parsed('a\n"b\nc" x\n')).toThrow(expect.objectContaining({ line: 3 }) as Error);
    expect(() => parsed('a\nb\n"c\nd\n')).toThrow(
      expect.objectContaining({ line: 3, message: expect.stringContaining('never closed') as string }) as Error,
    );
  });

  test('stops at a missing quote before it has read a large file', () => {
    const parser = createCsvParser(',');
    const piece = 'x,y\n'.repeat(100_000);
    parser.push('a,b\n"');
    expect(() => {
      for (let read = 0; read < 100; read++) parser.push(piece);
    }).toThrow(/longer than 8 MB/);
  });

  test('finds the same records in any pieces', () => {
    const csv = '\u{FEFF}a,b\r\n"x ""y""\r\n",2\r\n,""\r"ä🙂",z\n\nend,"1"';
    const whole = parsed(csv);
    fc.assert(
      fc.property(fc.array(fc.nat(csv.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), csv.length];
        const pieces = at.slice(1).map((end, index) => csv.slice(at[index], end));
        expect(parsed(csv, ',', pieces)).toEqual(whole);
      }),
    );
  });

  test.each([
    ['a,b;c,d', ','],
    ['a;b;c', ';'],
    ['a\tb', '\t'],
    ['"a;b;c",d', ','],
    ['a', ','],
    ['"first\nname";b;c', ';'],
    ['\n\n"a,b"\tc\nd,e,f', '\t'],
    ['"a ""x, y, z""";b', ';'],
    ['5" pipe;b;c', ';'],
  ])('guesses the delimiter of %j', (header, delimiter) => {
    expect(delimiterIn(header)).toBe(delimiter);
  });
});

describe('rows as CSV and back', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(',', ';', '"', '\n', '\r', ' ', '=', 'a', '\u{FEFF}', '\t') }),
    fc.constantFrom('true', '12', '2026-01-01', 'null', '=1+1', '@x'),
  );
  const columns: Column[] = [
    { name: 'text', type: 'string' },
    { name: 'number', type: 'number' },
    { name: 'flag', type: 'boolean' },
    { name: 'moment', type: 'date' },
  ];
  const rows = fc.array(
    fc.record<Record<string, Cell>>({
      text: fc.option(texts.filter((text) => !text.includes('\0'))),
      number: fc.option(
        fc.oneof(
          fc.integer(),
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
        ),
      ),
      flag: fc.option(fc.boolean()),
      moment: fc.option(
        fc
          .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
          .map((date) => date.toISOString()),
      ),
    }),
  );

  test('are the same rows, with any delimiter', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (given, delimiter) => {
        const names = columns.map(({ name }) => name);
        const csv = [names, ...given.map((row) => names.map((name) => row[name] ?? null))]
          .map((cells) => csvLine(cells, delimiter))
          .join('');
        const read = readCsv(csv, { name: 't', columns }, delimiter);
        expect(read.records.map((record) => cellsIn(read.columns, record))).toEqual(given);
      }),
    );
  });

  test('keep formulas as they are', () => {
    expect(csvLine(['=1+1', '-2', '@x', '+3'], ',')).toBe('=1+1,-2,@x,+3\n');
  });
});

describe('a new table from a CSV', () => {
  const typesOf = (csv: string, types?: Record<string, 'string'>) =>
    readCsv(csv, { name: 't', ...(types && { types }) }).columns.map((column) => column?.type);

  test.each([
    ['1\n-2.5\n', ['number']],
    ['1\n\nx\n', ['string']],
    ['007\n', ['string']],
    ['12345678901234567890\n', ['string']],
    ['1e5\n', ['string']],
    ['123456789.12345\n', ['number']],
    // As a number it would be rounded.
    ['123456789.123456789\n', ['string']],
    ['TRUE\nfalse\n', ['boolean']],
    ['0\n1\n', ['number']],
    ['true\n1\n', ['string']],
    ['2026-01-01\n2026-01-01T10:00:00+02:00\n', ['date']],
    ['2026-02-30\n', ['string']],
    ['01/02/2026\n', ['string']],
    ['""\n', ['string']],
    ['', ['string']],
  ])('infers from %j', (values, types) => {
    expect(typesOf(`h\n${values}`)).toEqual(types);
  });

  test('takes the types that it is told', () => {
    expect(typesOf('zip,n\n12345,1\n', { zip: 'string' })).toEqual(['string', 'number']);
  });

  test.each([
    ['E-mail address', 'E_mail_address'],
    ['  Größe (cm) ', 'Gro_e_cm'],
    ['2nd', 'c_2nd'],
    ['id', 'id_'],
    ['createdAt', 'createdAt_'],
    ['__proto__', 'proto'],
    ['日本', 'column'],
    ['x'.repeat(100), 'x'.repeat(60)],
  ])('calls the column of %j %j', (heading, name) => {
    expect(columnName(heading)).toBe(name);
    expect(columnName(heading)).toMatch(/^[a-zA-Z][a-zA-Z0-9_]{0,62}$/);
  });
});

test('a row that n8n would not take in one request is refused before anything is written', () => {
  expect(() => readCsv(`a,b\n1,x\n2,${'語'.repeat(5_100_000)}\n`, { name: 't' })).toThrow(/line 3: has 16 MB/);
  expect(readCsv(`a,b\n2,${'y'.repeat(5_100_000)}\n`, { name: 't' }).rows).toBe(1);
});

describe('headings', () => {
  const columns: Column[] = [
    { name: 'email', type: 'string' },
    { name: 'age', type: 'number' },
  ];
  const read = (csv: string, more: object = {}) => readCsv(csv, { name: 't', columns, ...more });

  test('find their columns by name, spelling or mapping, and ignore what n8n fills in', () => {
    expect(read('AGE, email ,id\n1,a,7\n')).toMatchObject({
      columns: [{ name: 'age' }, { name: 'email' }, undefined],
      headings: { ignored: ['id'], renamed: { AGE: 'age' } },
    });
    expect(read('Mail,Notes\na,b\n', { mapping: { Mail: 'email', Notes: null } }).columns).toEqual([
      { name: 'email', type: 'string' },
      undefined,
    ]);
    expect(read('email,\na,\n').columns).toEqual([{ name: 'email', type: 'string' }, undefined]);
  });

  test.each<[string, object, RegExp]>([
    ['emial\na\n', {}, /Did you mean "email"/],
    ['email,EMAIL\na,b\n', {}, /both become the column email/],
    ['Mail\na\n', { mapping: { Mial: 'email' } }, /no such heading. Did you mean "Mail"/],
    ['Mail\na\n', { mapping: { Mail: 'emial' } }, /has no column "emial"/],
    ['__proto__\na\n', {}, /has no column "__proto__"/],
    ['age\n1\n', { matchOn: ['email'] }, /no column email, which match_on names/],
    ['email,\na,b\n', {}, /line 2: field 2 has a value, but no heading/],
    [
      'email,age\na\nb,1,2\nc,x\n',
      {},
      /line 2: has 1 fields, but the header has 2\nline 3: has 3 fields[^\n]*\nline 4, column age: "x" is not a number/,
    ],
    ['email,age\n,1\n', { matchOn: ['email'] }, /line 2, column email: is empty/],
    ['email\n"a\n', {}, /line 2: a quote is opened/],
    ['', {}, /The CSV is empty/],
    ['id\n1\n', {}, /no column that can be imported/],
  ])('are refused in %j with %j', (csv, more, message) => {
    expect(() => read(csv, more)).toThrow(message);
  });

  test('of a new table are refused if a type is for none of them', () => {
    expect(() => readCsv('zip\n01234\n', { name: 't', types: { zpi: 'string' } })).toThrow(
      /types names "zpi", but the CSV has no such heading. Did you mean "zip"/,
    );
    expect(() => readCsv('E-mail\na\n', { name: 't', types: { E_mail: 'string' } })).not.toThrow();
  });

  test('of a new table are refused if two become the same column', () => {
    expect(() => readCsv('a b,a-b\n1,2\n', { name: 't' })).toThrow(/"a b" and "a-b" both become the column a_b/);
  });
});
