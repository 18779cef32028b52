import { z } from 'zod';
import { allowList } from '../allowed.ts';

/** Also for modules that are built on PostgreSQL. */
export const postgresUrl = z.string({ error: 'is missing' }).superRefine((given, context) => {
  if (/^postgres(?:ql)?:\/\/[^/]/.test(given) && URL.canParse(given)) return;
  context.addIssue({
    code: 'custom',
    message: 'is not the URL of a PostgreSQL',
    params: { fix: 'Write postgres://user:password@host:5432/database.' },
  });
});

export const postgresSettings = z.object({
  url: postgresUrl,
  /**
   * The schemas that statements may name; default all but those of Sluice. Guards against mistakes: code in the database
   * can use whatever the role may.
   */
  schemas: allowList,
});
