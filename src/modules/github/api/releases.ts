import { z } from 'zod';
import { user } from './fields.ts';
import { maybe } from '../lenient.ts';

export const release = z.object({
  id: z.int(),
  tag_name: z.string(),
  target_commitish: maybe(z.string()),
  name: maybe(z.string()),
  draft: z.boolean(),
  prerelease: z.boolean(),
  author: maybe(user),
  created_at: maybe(z.string()),
  published_at: maybe(z.string()),
  html_url: z.string(),
  body: maybe(z.string()),
  assets: maybe(
    z.array(
      z.object({ name: z.string(), size: z.int(), download_count: maybe(z.int()), browser_download_url: z.string() }),
    ),
  ),
});
export type Release = z.output<typeof release>;
