import { expect, it } from 'vitest';
import { createRate } from './rate.ts';

it('counts over the last five seconds, and little at the beginning', () => {
  let at = 0;
  const rate = createRate(() => at);
  expect(rate.perSecond()).toBe(0);
  rate.add(30);
  expect(rate.perSecond()).toBe(30);
  for (at = 100; at <= 10_000; at += 100) rate.add(200);
  expect(rate.perSecond()).toBeGreaterThan(1700);
  expect(rate.perSecond()).toBeLessThan(2200);
  at += 6000;
  expect(rate.perSecond()).toBe(0);
});
