import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { evaluate } from './evaluate.ts';

const SECRET = 'S3cr3t';

const inputs: unknown = JSON.parse(
  `{"n":2,"d":2.5,"s":"${SECRET}","nothing":null,"l":[1,2.5,"x"],"o":{"a":1,"__proto__":{"z":1}},"__proto__":5}`,
);
const scope = {
  variables: [
    ['inputs', inputs],
    ['steps', { list: { result: { url: 'u', id: 7 } } }],
    ['__proto__', 9],
  ],
  stepNames: ['list', 'other'],
} as const;

const valueOf = (source: string): unknown => JSON.parse(evaluate([source], scope, () => {})[0] as string);

function failure(source: string): AppError {
  try {
    valueOf(source);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${source} has a value.`);
}

describe('values', () => {
  it.each([
    ['inputs.n + 1', 3],
    ['inputs.n + 1.5', 3.5],
    ['inputs.d * inputs.n', 5],
    ['3 / inputs.d', 1.2],
    ['inputs.n - inputs.d', -0.5],
    ['inputs.n / 4', 0],
    ['inputs.n == 2.0 && inputs.n < inputs.d', true],
    ['inputs.l', [1, 2.5, 'x']],
    ['inputs.l.map(i, [i])', [[1], [2.5], ['x']]],
    ['inputs.l.filter(i, i != 1) + [null]', [2.5, 'x', null]],
    ['has(inputs.nothing)', true],
    ['"nothing" in inputs', true],
    ['has(inputs.absent)', false],
    ['inputs.nothing', null],
    ['{"a": {"b": 2u}}', { a: { b: 2 } }],
    ['[bytes("hi"), b"\\xff"]', ['aGk=', '/w==']],
    ['[timestamp("2024-01-01T00:00:00Z"), duration("90s")]', ['2024-01-01T00:00:00Z', '90s']],
    ['timestamp("2024-01-01T00:00:00Z")', '2024-01-01T00:00:00Z'],
    ['type(inputs.n)', 'int'],
    ['steps.list.result.id', 7],
    ['9007199254740991', 9007199254740991],
    ['int("-12") + 1', -11],
    ['double("2.5")', 2.5],
    ['"a-b".split("-").join("+").upperAscii()', 'A+B'],
    ['"abc".matches("^a.c$")', true],
    ['__proto__', 9],
    ['inputs.__proto__', 5],
    ['inputs.o["__proto__"].z', 1],
  ])('%s', (source, value) => expect(valueOf(source)).toEqual(value));

  it('are objects whose keys are only what was given', () => {
    const made = valueOf('{"__proto__": {"a": 1}, "constructor": 2}') as object;
    expect(Object.keys(made)).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(valueOf('inputs.o') as object)).toEqual(['a', '__proto__']);
  });

  it('of long lists are found in time', () => {
    const long = { variables: [['l', Array.from({ length: 20_000 }, (_, id) => ({ id }))]], stepNames: [] } as const;
    const [text] = evaluate(['l.map(i, i.id).filter(i, i % 2 == 0).size()'], long, () => {});
    expect(text).toBe('10000');
  });
});

describe('own functions', () => {
  it.each([
    ['ident("team")', '"team"'],
    ['ident("a\\"b")', '"a""b"'],
    [`ident("${'ä'.repeat(31)}")`, `"${'ä'.repeat(31)}"`],
    ['slug("Große  Übung_1!")', 'grosse-uebung-1'],
    ['slug("--")', ''],
    ['json({"a": inputs.l})', '{"a":[1,2.5,"x"]}'],
    ['json("\\"")', '"\\""'],
  ])('%s', (source, value) => expect(valueOf(source)).toBe(value));

  it.each([
    ['ident("")', 'empty text'],
    ['ident("a\\\\")', 'a character that an SQL name cannot have'],
    [`ident("${'ä'.repeat(32)}")`, '64 bytes'],
    ['ident("a\\u0000")', 'cannot have'],
    ['ident(1)', 'ident() does not work with int'],
  ])('%s fails', (source, words) => expect(failure(source).message).toContain(words));
});

describe('errors', () => {
  it.each([
    ['steps.list.result.uri', '"uri" is missing there. Keys there: url, id.'],
    ['steps.lost.result', '"lost" is missing there. Keys there: list, other.'],
    ['inputs.constructor', '"constructor" is missing there. Keys there: n, d, s,'],
    ['inputs.l.map(i, i.foo)', '"foo" is missing there.'],
    ['{}.a', '"a" is missing there.'],
    ['nope + 1', 'There is no variable "nope".'],
    ['constructor', 'There is no variable "constructor".'],
    ['inputs.l[7]', 'An index is out of range.'],
    ['1 / 0', 'It divides by zero.'],
    ['1.0 / 0.0', 'not a finite number'],
    ['inputs.d % 2', '"%" does not work with double and int. Convert with int(x).'],
    ['inputs.n + 1u', '"+" does not work with int and uint. Convert with double(x).'],
    ['inputs.s + 1', '"+" does not work with string and int. Convert one of them, for example with string(x).'],
    ['inputs.nothing + 1', 'A value is null'],
    ['inputs.n && true', 'It needs true or false, and got int.'],
    ['inputs.n ? 1 : 2', 'does not work with int.'],
    ['inputs.n.map(x, x)', 'It needs a list, and got int.'],
    ['9223372036854775807', 'JSON cannot hold exactly'],
    ['9223372036854775807 + 1', 'too large'],
    ['int("")', 'int() got a text that is not a whole number'],
    ['double("")', 'double() got a text that is not a number'],
    ['{1: 2}', 'a key that is not text'],
    ['{"a": 1, "a": 2}', 'the same key twice'],
    ['"a".matches("(")', 'matches() cannot use the value that it got.'],
    ['1 +', 'cannot be read'],
  ])('%s', (source, words) => {
    const { code, message } = failure(source);
    expect(code).toBe('invalid_input');
    expect(message.startsWith(`\${${source}}: `)).toBe(true);
    expect(message).toContain(words);
  });

  it.each([
    'int(inputs.s)',
    'double(inputs.s)',
    'bool(inputs.s)',
    'timestamp(inputs.s)',
    'duration(inputs.s)',
    'inputs[inputs.s]',
    'inputs.l[int(inputs.s)]',
    '{inputs.s: 1, inputs.s: 2}',
    '"a".matches(inputs.s + "(")',
    '"%d".format([inputs.s])',
    'inputs.s.charAt(99)',
    'inputs.s + 1',
    'ident(inputs.s + "\\u0000")',
    'inputs.s.getFullYear()',
    'uint(inputs.s)',
    'inputs.s ? 1 : 2',
    'inputs.s || false',
    '[inputs.s][1]',
    'b"\\xff" + bytes(inputs.s) == string(b"\\xff")',
    'timestamp("2024-01-01T00:00:00Z").getHours(inputs.s)',
  ])('of %s do not tell a secret', (source) => {
    const { message } = failure(source);
    expect(message.toLowerCase()).not.toContain(SECRET.toLowerCase());
  });

  it('of any expression are AppErrors that do not tell a secret', () => {
    const { expression } = fc.letrec<{ expression: string }>((tie) => {
      const one = tie('expression');
      const call = fc.constantFrom(
        'int',
        'uint',
        'double',
        'bool',
        'timestamp',
        'duration',
        'bytes',
        'size',
        'ident',
        'json',
        'type',
        '-',
        '!',
      );
      const method = fc.constantFrom(
        'matches',
        'split',
        'format',
        'charAt',
        'join',
        'substring',
        'indexOf',
        'getHours',
        'nope',
      );
      const operator = fc.constantFrom('+', '-', '*', '/', '%', '<', '==', '&&', '||', 'in');
      return {
        expression: fc.oneof(
          { maxDepth: 5, depthIdentifier: 'expression' },
          fc.constantFrom(
            'inputs.s',
            'inputs',
            'inputs.l',
            '1',
            '2.5',
            '"%d("',
            'null',
            'true',
            'i',
            '[]',
            'steps.list.result',
          ),
          fc.tuple(call, one).map(([name, a]) => `${name}(${a})`),
          fc.tuple(one, method, one).map(([a, name, b]) => `${a}.${name}(${b})`),
          fc.tuple(one, operator, one).map(([a, name, b]) => `(${a} ${name} ${b})`),
          fc.tuple(one, one).map(([a, b]) => `${a}[${b}]`),
          fc.tuple(one, one).map(([a, b]) => `{${a}: ${b}}`),
          fc.tuple(one, one, one).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
          fc.tuple(one, fc.constantFrom('map', 'all', 'filter'), one).map(([a, name, b]) => `${a}.${name}(i, ${b})`),
          one.map((a) => `${a}.x`),
          one.map((a) => `[${a}]`),
        ),
      };
    });
    fc.assert(
      fc.property(expression, (source) => {
        try {
          valueOf(source);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).message.toLowerCase()).not.toContain(SECRET.toLowerCase());
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('name a long expression by its beginning', () => {
    expect(failure(`nope + "${'a'.repeat(500)}"`).message.length).toBeLessThan(300);
  });

  it('say that a value is too large', () => {
    const large = { variables: [['x', 'ä'.repeat(400_000)]], stepNames: [] } as const;
    expect(evaluate(['x'], large, () => {})).toHaveLength(1);
    expect(() => evaluate(['x', 'x + ""'], large, () => {})).toThrow('more than 1 MB');
    expect(() => evaluate(['[x, x, x]'], large, () => {})).toThrow('more than 1 MB');
    expect(() => evaluate(['json([x, x, x])'], large, () => {})).toThrow('more than 1 MB');
  });
});
