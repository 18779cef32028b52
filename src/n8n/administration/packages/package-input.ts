import { z } from 'zod';
import type { CommunityPackage } from '../../client/community-packages.ts';

export const packageNameInput = z
  .string()
  .trim()
  .max(214)
  .regex(
    /^(?:@[\w.-]+\/)?n8n-nodes-[\w.-]+$/,
    'is not the name of a community package: n8n-nodes-NAME or @SCOPE/n8n-nodes-NAME',
  )
  .describe('npm name: n8n-nodes-NAME or @SCOPE/n8n-nodes-NAME');

export const versionInput = z
  .string()
  .trim()
  .regex(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/, 'is not a version such as 1.2.3')
  .optional()
  .describe('Such as 1.2.3. Default: the newest');

export const verifyInput = z
  .boolean()
  .optional()
  .describe('Only versions that n8n has checked. Default: true. With false, any package from npm');

export const packageOutput = z.object({
  name: z.string(),
  version: z.string(),
  nodes: z.array(z.string()).describe('Node types'),
  author: z.string().optional(),
  update: z.string().optional().describe('A newer version'),
  broken: z.literal(true).optional().describe('n8n could not load it'),
});

export const packageOf = (one: CommunityPackage) => ({
  name: one.packageName,
  version: one.installedVersion,
  nodes: one.installedNodes.map(({ type }) => type),
  ...(one.authorName && { author: one.authorName }),
  ...(one.updateAvailable && { update: one.updateAvailable }),
  ...(one.failedLoading && { broken: true as const }),
});

export const trust = (verify: boolean): string =>
  verify
    ? 'n8n has checked its code.'
    : 'Nobody at n8n has checked it. Its code runs inside n8n, with access to the machine and to all credentials.';
