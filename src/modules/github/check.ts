import { z } from 'zod';
import type { GitHub } from './connection.ts';
import { ownLogin } from './own-login.ts';

const limits = z.object({ resources: z.object({ core: z.object({ limit: z.int(), remaining: z.int() }) }) });

/** Such as `GitHub as octocat, 4990 of 5000 requests left this hour`. */
export async function check(github: GitHub, signal: AbortSignal): Promise<string> {
  const { core } = (await github.json(limits, ['rate_limit'], { signal })).resources;
  const left = `${core.remaining} of ${core.limit} requests left this hour`;
  if (github.isAnonymous) return `GitHub without a token: only what is public, ${left}`;
  return `GitHub as ${(await ownLogin(github, { signal })) ?? 'an app'}, ${left}`;
}
