import { expect, it } from 'vitest';
import { firstFitting } from './first-fitting.ts';

it('takes the first reply that fits', () => {
  const of = (length: number) => () => ({ text: 'x'.repeat(length) });
  expect(firstFitting([of(100), of(10)]).text).toHaveLength(100);
  expect(firstFitting([of(9000), of(10), of(1)]).text).toHaveLength(10);
  expect(firstFitting([of(9000), of(8000)]).text).toHaveLength(8000);
});
