import { z } from 'zod';
import { httpUrl, integer, text } from '../../host/config/scalars.ts';
import { secondsIn } from './times.ts';

const span = z.union([z.string(), z.number()], { error: 'must be a duration' }).transform((given, context) => {
  const seconds = secondsIn(given);
  if (seconds !== undefined && seconds > 0) return seconds;
  context.addIssue({
    code: 'custom',
    message: 'is not a duration',
    params: { fix: 'Write it as Prometheus does: "12h", "31d", "1y".' },
  });
  return z.NEVER;
});

export const prometheusSettings = z.object({
  /** May have a path, as behind a proxy or in Mimir, and a user and password. */
  url: httpUrl.default('http://127.0.0.1:9090'),
  /** Sent as a bearer token. */
  token: z.string().min(1).optional(),
  /** Such as X-Scope-OrgID. */
  headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not the name of a header'), text).default({}),
  /** In seconds: the longest time between start and end, and the longest [range] in a query. */
  maxRange: span.default(31 * 86_400),
  /** How many points a series of a range query may have. */
  maxPoints: integer(10, 11_000).default(1000),
});
