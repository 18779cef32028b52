import { expect, test } from 'vitest';
import { z } from 'zod';
import { findingsOf } from './schema-problems.ts';

const schema = z.strictObject({
  most: z.int().min(1).max(50).optional(),
  share: z.number().gt(0).optional(),
  name: z.string().max(3).optional(),
  tags: z.array(z.string()).min(1).optional(),
  words: z.string().min(1, 'must not be empty').optional(),
});

test.each([
  [{ most: 0 }, 'must be at least 1. Write at least 1.'],
  [{ most: 51 }, 'must be at most 50. Write at most 50.'],
  [{ share: 0 }, 'must be more than 0. Write more than 0.'],
  [{ name: 'long' }, 'must be a text of at most 3 characters. Write a text of at most 3 characters.'],
  [{ tags: [] }, 'must be a list with at least 1 entry. Write a list with at least 1 entry.'],
  [{ words: '' }, 'must not be empty. Correct this value.'],
])('says of %j how much is allowed', (given, words) => {
  const { error } = schema.safeParse(given);
  const [found] = findingsOf(error?.issues ?? [], schema, given);
  expect(`${found?.message}. ${found?.fix}`).toBe(words);
});
