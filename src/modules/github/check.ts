import type { GitHub } from './connection.ts';
import { readLimits } from './limits.ts';
import { ownLogin } from './own-login.ts';

/** Such as `GitHub as octocat, 4990 of 5000 requests left this hour`. */
export async function check(github: GitHub, signal: AbortSignal): Promise<string> {
  const { core } = await readLimits(github, { signal });
  const left = core ? `${core.remaining} of ${core.limit} requests left this hour` : 'requests are not limited';
  if (github.isAnonymous) return `GitHub without a token: only what is public, ${left}`;
  return `GitHub as ${(await ownLogin(github, { signal })) ?? 'an app'}, ${left}`;
}
