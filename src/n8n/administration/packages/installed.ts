import { AppError } from '../../../kernel/errors.ts';
import { didYouMean, nearestNames } from '../../../kernel/nearest-names.ts';
import { someOf } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { CommunityPackage } from '../../client/community-packages.ts';
import { scanWorkflows, versionsOf } from '../../find/scan.ts';
import { namedWorkflow } from '../../workflows/dependents.ts';
import { unlessRefused } from '../refused.ts';

export async function installedPackage(
  client: N8nClient,
  name: string,
  signal: AbortSignal,
): Promise<CommunityPackage> {
  const all = await client.communityPackages.all(signal);
  const found = all.find(({ packageName }) => packageName === name);
  if (found) return found;
  const near = nearestNames(
    name,
    all.map(({ packageName }) => packageName),
  );
  throw new AppError(
    'not_found',
    `${name} is not installed. Nothing was changed. ${didYouMean(near, 'n8n_list_community_packages shows what is.')}`,
  );
}

/** A sentence about the workflows with nodes of this package. */
export async function usedBy(client: N8nClient, name: string, signal: AbortSignal): Promise<string> {
  const all = await unlessRefused(scanWorkflows(client, signal));
  if (!all) return 'Workflows may use it: the API key may not list workflows.';
  const users = all.filter((workflow) =>
    versionsOf(workflow).some(({ nodes }) => nodes.some(({ type }) => type.startsWith(`${name}.`))),
  );
  return users.length === 0 ? 'No workflow uses it.' : `Used by ${someOf(users.map(namedWorkflow))}.`;
}
