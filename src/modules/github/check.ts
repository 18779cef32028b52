import { z } from 'zod';
import type { GitHub } from './connection.ts';

const user = z.object({ login: z.string() });
const limits = z.object({ resources: z.object({ core: z.object({ limit: z.int(), remaining: z.int() }) }) });

/** Such as `GitHub as octocat, 4990 of 5000 requests left this hour`. */
export async function check(github: GitHub, signal: AbortSignal): Promise<string> {
  const { core } = (await github.json(limits, ['rate_limit'], { signal })).resources;
  const left = `${core.remaining} of ${core.limit} requests left this hour`;
  if (github.isAnonymous) return `GitHub without a token: only what is public, ${left}`;
  // Tokens of apps belong to no user.
  const login = await github.json(user, ['user'], { signal }).then(
    (found) => found.login,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'forbidden') return 'an app';
      throw error;
    },
  );
  return `GitHub as ${login}, ${left}`;
}
