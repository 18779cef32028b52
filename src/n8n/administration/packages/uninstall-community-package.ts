import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { installedPackage, usedBy } from './installed.ts';
import { packageNameInput } from './package-input.ts';

export const uninstallCommunityPackage = n8nTool({
  name: 'n8n_uninstall_community_package',
  title: 'Uninstall community package',
  description: 'Removes a community node package from n8n. Workflows with its nodes fail; the preview names them.',
  effect: 'delete',
  phrases:
    'uninstall a community node; remove a community package; get rid of n8n-nodes; delete a third-party node package; we do not trust this package, remove it; throw out a plugin of n8n; community node is not needed any more; drop an npm package from n8n; deinstall a node package',
  tags: ['packages', 'nodes'],
  input: { name: packageNameInput },
  output: z.object({ name: z.string(), version: z.string() }),
  async preview({ name }, { client }, { signal }) {
    const { installedVersion } = await installedPackage(client, name, signal);
    return `It removes ${name} ${installedVersion} from n8n (${client.name}). ${await usedBy(client, name, signal)}`;
  },
  async run({ name }, { client, catalogues }, { signal }) {
    const { installedVersion: version } = await installedPackage(client, name, signal);
    signal.throwIfAborted();
    await client.communityPackages.uninstall(name);
    catalogues.refresh?.(client.name);
    return { name, version };
  },
});
