import { z } from 'zod';

const words: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };

export const delimiterInput = z
  .string()
  .max(10)
  .refine((given) => Object.hasOwn(words, given) || (given.length === 1 && !/["\r\n]/.test(given)), {
    message: 'must be one character, or comma, semicolon, tab or pipe',
  })
  .transform((given) => (Object.hasOwn(words, given) ? (words[given] as string) : given))
  .describe('One character, or comma, semicolon, tab, pipe');
