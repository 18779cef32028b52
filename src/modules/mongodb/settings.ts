import { z } from 'zod';
import { allowList } from '../allowed.ts';
import { readUrl } from './url.ts';

const mongoUrl = z.string({ error: 'is missing' }).superRefine((given, context) => {
  if (readUrl(given)) return;
  context.addIssue({
    code: 'custom',
    message: 'is not the URL of a MongoDB',
    params: { fix: 'Write mongodb://user:password@host:27017/database, or mongodb+srv://… for a cluster.' },
  });
});

export const mongodbSettings = z.object({
  url: mongoUrl,
  /** The database of calls that name none; default the one in the URL. */
  database: z.string().min(1).optional(),
  /** What may be read and changed, as `database` or `database.collection`; default all but admin, config and local. */
  databases: allowList,
});
