import { z } from 'zod';
import { known } from './lenient.ts';
import type { Release } from './api/releases.ts';

export const releaseOutput = z.object({
  id: z.int(),
  tag: z.string(),
  name: z.string().optional(),
  draft: z.boolean().optional(),
  prerelease: z.boolean().optional(),
  author: z.string().optional(),
  created_at: z.string().optional(),
  published_at: z.string().optional(),
  assets: z.int().optional(),
  url: z.string(),
});

export function shownRelease(release: Release): z.input<typeof releaseOutput> {
  return {
    id: release.id,
    tag: release.tag_name,
    url: release.html_url,
    ...known({
      name: release.name === '' ? undefined : release.name,
      draft: release.draft ? true : undefined,
      prerelease: release.prerelease ? true : undefined,
      author: release.author?.login,
      created_at: release.created_at,
      published_at: release.published_at,
      assets: release.assets?.length,
    }),
  };
}
