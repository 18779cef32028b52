import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';

export const branchInput = z
  .string()
  .min(1)
  .max(250)
  // The rules of git check-ref-format.
  .regex(
    /^(?![/.-])(?!.*(?:\/\/|\.\.|\/\.|@\{|\.lock(?:\/|$)))[^\s:~^?*[\\]+(?<![/.])$/,
    'must be the name of a branch',
  )
  .refine((name) => !name.startsWith('refs/'), 'must be the name of a branch, without refs/heads/');

export const messageInput = z.string().trim().min(1).max(10_000).describe('Commit message');

export const writtenPath = z
  .string()
  .max(1000)
  .transform((given) => given.replace(/^\/+/, ''))
  .pipe(
    z
      .string()
      .regex(/^(?!.*(?:\/\/|\/$))[^\\\0]+$/, 'must be the path of a file')
      .refine((path) => !path.split('/').some((part) => ['.', '..'].includes(part)), 'must not contain . or ..')
      .refine((path) => !/(?:^|\/)\.git(?:\/|$)/i.test(path), 'must not be inside .git'),
  );

const MB = 1024 * 1024;
export const contentInput = z.string().max(8 * MB);
export const encodingInput = z.enum(['utf-8', 'base64']).default('utf-8').describe('base64 for binary content');

/** The content as base64, as the API takes it. */
export function base64Of(content: string, encoding: 'utf-8' | 'base64', path: string): string {
  if (encoding === 'utf-8') return Buffer.from(content, 'utf8').toString('base64');
  const plain = content.replace(/\s/g, '');
  // A pattern for groups of four would overflow the stack with a file of a few megabytes.
  if (plain.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(plain)) return plain;
  throw new AppError('invalid_input', `The content of ${path} is not base64. Leave encoding out if it is text.`);
}
