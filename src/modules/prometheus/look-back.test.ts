import * as fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { checkLookBack, rangesIn } from './look-back.ts';

const limits = { range: 31 * 86_400, points: 1000, setting: 'modules.prometheus' };

test.each([
  ['rate(x[5m])', [{ range: 300 }]],
  ['max_over_time(rate(x[5m])[1h:30s])', [{ range: 300 }, { range: 3600, step: 30 }]],
  ['x[ 1h : ]', [{ range: 3600 }]],
  ['x{path="[5y]"}', []],
  ['x{path="a\\"[5y]"} + y[1m]', [{ range: 60 }]],
  ["x{path='[5y]'} # [6y]\n + y[1m]", [{ range: 60 }]],
  ['x{path=`\\`}[2m]', [{ range: 120 }]],
  ['x["', []],
])('%s', (query, ranges) => {
  expect(rangesIn(query)).toEqual(ranges);
});

it('refuses to look back too far, or too closely', () => {
  expect(() => checkLookBack('rate(x[5y])', limits)).toThrow(
    'The query looks back over 1825d, and modules.prometheus.maxRange allows 31d.',
  );
  expect(() => checkLookBack('max_over_time(x[30d:1s])', limits)).toThrow('evaluates 2592000 steps, more than 11000');
  expect(() => checkLookBack('max_over_time(x[1d:1m])', limits)).not.toThrow('x');
});

it('reads any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('[', ']', '"', '\\', "'", '`', '#', '\n', '5', 'm', ':', 'x') }),
      (query) => {
        expect(Array.isArray(rangesIn(query))).toBe(true);
      },
    ),
  );
});
