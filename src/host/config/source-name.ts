import { z } from 'zod';
import { normalized } from '../../kernel/normalized.ts';

const NAME = /^[A-Za-z0-9_-]{1,40}$/;

/** A valid prefix for tool names near the given name. */
export function suggestName(given: string): string {
  const clean = (part: string) =>
    normalized(part, 'NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[-_]+|[-_]+$/g, '');
  const whole = clean(given);
  // In `@scope/package` and repository URLs the last part is the name.
  const last = clean(given.split('/').findLast((part) => part !== '') ?? '');
  const best = whole.length > 40 && last !== '' ? last : whole;
  return best.slice(0, 40).replace(/[-_]+$/, '') || 'server';
}

/** The name of a server, preset or toolset. It becomes a prefix of tools or part of a URL. */
export const sourceName = z.string().superRefine((name, context) => {
  if (NAME.test(name)) return;
  context.addIssue({
    code: 'custom',
    message: `"${name}" is not a valid name: use 1 to 40 letters, digits, "_" and "-"`,
    params: { fix: `Rename it, for example to "${suggestName(name)}".` },
  });
});
