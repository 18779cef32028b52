import { z } from 'zod';
import { duration } from '../../host/config/duration.ts';
import { flag, httpUrl } from '../../host/config/scalars.ts';
import { sourceName } from '../../host/config/source-name.ts';

/** The name of n8n's own library in ids, arguments and answers. */
export const PUBLIC = 'public';

const DAY_MS = 24 * 3_600_000;
const MOST_DAYS = 365;

/** Duration up to a year: `7d`, or what `duration` takes. */
const freshFor = z.union([
  z
    .string()
    .regex(/^\s*\d{1,3}\s*d\s*$/)
    .transform((text) => Number.parseInt(text, 10) * DAY_MS)
    .pipe(
      z
        .number()
        .min(DAY_MS)
        .max(MOST_DAYS * DAY_MS),
    ),
  duration,
]);

const serviceUrl = httpUrl.superRefine((given, context) => {
  const url = URL.parse(given);
  if (!url || (url.username === '' && url.password === '' && url.search === '' && url.hash === '')) return;
  context.addIssue({
    code: 'custom',
    message: 'has more than a host and a path',
    params: { fix: 'Write it like https://api.n8n.io/api/. Sluice sends no credentials to a template library.' },
  });
});

const libraryName = sourceName.refine((name) => name !== PUBLIC, {
  error: `"${PUBLIC}" is the name of n8n's library: choose another`,
});

/** Where templates come from: n8n's public library, and folders with workflow files. */
export const templatesSection = z.strictObject({
  /** Whether n8n's public library is searched. */
  public: flag.default(true),
  url: serviceUrl.default('https://api.n8n.io/api/'),
  /** How long an answer of the public library counts as current. */
  refresh: freshFor.default(DAY_MS),
  /** Name -> folder. */
  libraries: z.record(libraryName, z.string().min(1, 'must name a folder')).default({}),
});

export type TemplateSettings = z.output<typeof templatesSection>;
