import { z } from 'zod';

const NAME = /^[A-Za-z0-9_-]{1,40}$/;

/** A name near the given one that may stand before a tool's name. */
export function suggestName(given: string): string {
  const clean = (part: string) =>
    part
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[-_]+|[-_]+$/g, '');
  const whole = clean(given);
  // `@scope/package` and repository addresses say what they are in their last part.
  const last = clean(given.split('/').findLast((part) => part !== '') ?? '');
  const best = whole.length > 40 && last !== '' ? last : whole;
  return best.slice(0, 40).replace(/[-_]+$/, '') || 'server';
}

/** The name of a server, preset or toolset: it becomes a namespace of tools or a part of a URL. */
export const sourceName = z.string().superRefine((name, context) => {
  if (NAME.test(name)) return;
  context.addIssue({
    code: 'custom',
    message: `"${name}" cannot be a name: 1 to 40 letters, digits, "_" and "-" are allowed`,
    params: { fix: `Rename it, for example to "${suggestName(name)}".` },
  });
});
