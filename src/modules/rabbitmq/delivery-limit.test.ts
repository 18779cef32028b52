import { expect, test } from 'vitest';
import { deliveryLimitOf } from './delivery-limit.ts';

const queue = { type: 'quorum', arguments: {}, effective_policy_definition: {}, delivery_limit: undefined };

test.each([
  [{}, undefined],
  [{ arguments: { 'x-delivery-limit': 5 } }, 5],
  [{ arguments: { 'x-delivery-limit': 5 }, effective_policy_definition: { 'delivery-limit': 3 } }, 3],
  [{ delivery_limit: 20 }, 20],
  [{ delivery_limit: 'unlimited' }, undefined],
  [{ delivery_limit: -1 }, undefined],
  [{ type: 'classic', arguments: { 'x-delivery-limit': 5 } }, undefined],
])('%o', (more, limit) => {
  expect(deliveryLimitOf({ ...queue, ...more })).toBe(limit);
});
