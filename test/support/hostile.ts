import * as fc from 'fast-check';

// Unlikely input that anybody can send: for property tests of everything that takes names, JSON or frames from outside.

/** Names that every object has, that mean something to us, or that no terminal, file or header accepts. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'valueOf',
    'toJSON',
    'prototype',
    'then',
    'length',
    'name',
    'good__echo',
    'GOOD--echo',
    'good:echo',
    'gateway_status',
    'find_tools',
    'call_tool',
    '',
    ' ',
    '*',
    '?',
    '..',
    '\0',
    '\x1b[2J',
    '\u202e',
    '\ud800',
    'ü🙂',
    'x'.repeat(5000),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** Any JSON as a parser returns it: a key `__proto__` is an ordinary key. */
export const hostileJson: fc.Arbitrary<unknown> = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.constantFrom(null, true, 0, -1, 1e308, 2 ** 53), fc.double({ noNaN: true }), hostileName),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(hostileName, tie('value'), { maxKeys: 4 }),
    ),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

export const hostileObject: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(hostileName, hostileJson, { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

/** A tool or something like one, partly valid and partly not. */
export const hostileTool: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: hostileJson },
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          name: fc.oneof({ weight: 5, arbitrary: hostileName }, { weight: 1, arbitrary: hostileJson }),
          title: fc.oneof(hostileName, hostileJson),
          description: fc.oneof(hostileName, hostileJson),
          annotations: fc.oneof(hostileObject, hostileJson),
          inputSchema: fc.oneof(
            hostileJson,
            fc.record({ type: fc.constant('object'), properties: hostileObject, required: hostileJson }),
            fc.record({
              type: fc.constant('object'),
              properties: fc.dictionary(
                hostileName,
                fc.record(
                  {
                    type: fc.oneof(fc.constantFrom('string', 'array', 'integer'), hostileJson),
                    enum: fc.array(hostileJson, { maxLength: 3 }),
                    items: hostileJson,
                    'x-mcp-header': fc.oneof(fc.constant('Region'), hostileJson),
                  },
                  { requiredKeys: [] },
                ),
                { maxKeys: 3 },
              ),
            }),
          ),
        },
        { requiredKeys: ['name', 'inputSchema'] },
      )
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  },
);
