import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { installedPackage, usedBy } from './installed.ts';
import { packageNameInput, packageOf, packageOutput, trust, verifyInput, versionInput } from './package-input.ts';

export const updateCommunityPackage = n8nTool({
  name: 'n8n_update_community_package',
  title: 'Update community package',
  description: 'Brings an installed community node package to another version, by default the newest.',
  effect: 'execute',
  confirms: true,
  phrases:
    'update a community node; upgrade a community package; newer version of a node package; bring n8n-nodes up to date; change the version of a community package; downgrade a community node; community node is outdated; upgrade a plugin of n8n; switch a package to another version',
  tags: ['packages', 'nodes'],
  input: { name: packageNameInput, version: versionInput, verify: verifyInput },
  output: packageOutput.extend({ was: z.string().describe('Version before') }),
  async preview({ name, version, verify = true }, { client }, { signal }) {
    const { installedVersion } = await installedPackage(client, name, signal);
    const users = await usedBy(client, name, signal);
    return `It changes ${name} in n8n (${client.name}) from ${installedVersion} to ${version ?? 'the newest version'}. ${trust(verify)} ${users}`;
  },
  async run({ name, version, verify = true }, { client, catalogues }, { signal }, progress) {
    const { installedVersion: was } = await installedPackage(client, name, signal);
    signal.throwIfAborted();
    progress(0, undefined, `updating ${name}`);
    const wanted = { verify, ...(version !== undefined && { version }) };
    const updated = await client.communityPackages.update(name, wanted);
    catalogues.refresh?.(client.name);
    return { ...packageOf(updated), was };
  },
});
