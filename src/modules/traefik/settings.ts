import { z } from 'zod';
import { httpUrl, text } from '../../host/config/scalars.ts';

export const traefikSettings = z.object({
  /** Where Traefik's API is. May have a path, as behind a proxy, and a user and password. */
  url: httpUrl.default('http://127.0.0.1:8080'),
  /** Sent as a bearer token. */
  token: z.string().min(1).optional(),
  headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not the name of a header'), text).default({}),
});
