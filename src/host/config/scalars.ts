import { z } from 'zod';

// `${PORT}` arrives as text, so numbers and flags also accept text.

export function integer(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error })
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
}

export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
  error: 'must be true or false',
});

/** YAML reads `3000` and `true` as a number and a boolean, but arguments, variables and headers are text. */
export const text = z.union([z.string(), z.number(), z.boolean()], { error: 'must be a text' }).transform(String);

export const isHttpUrl = (given: string): boolean => /^https?:/.test(given) && URL.canParse(given);

export const httpUrl = z.string().superRefine((given, context) => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return;
  context.addIssue({
    code: 'custom',
    message: 'is not an http or https URL',
    params: { fix: 'Write the full URL, for example https://example.com/mcp.' },
  });
});

export const exposure = z.enum(['flat', 'compact', 'search']);
