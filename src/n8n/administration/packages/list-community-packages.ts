import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { cursorOutput, pageInput, pageOf } from '../page.ts';
import { packageOf, packageOutput } from './package-input.ts';

const NAME = 'n8n_list_community_packages';

export const listCommunityPackages = n8nTool({
  name: NAME,
  title: 'List community packages',
  description: 'Lists the community node packages installed in an n8n with version, node types and available updates.',
  effect: 'read',
  phrases:
    'community packages; which community nodes are installed; list installed node packages; are there updates for community nodes; third-party nodes in n8n; version of a community package; broken community nodes; extensions of n8n; which npm packages does n8n load; plugins of n8n; outdated node packages',
  tags: ['packages', 'nodes'],
  input: { ...pageInput },
  output: z.object({ packages: z.array(packageOutput), total: z.number(), cursor: cursorOutput }),
  async run(page, { client }, { signal }) {
    const rows = (await client.communityPackages.all(signal)).map(packageOf);
    const { items, ...rest } = pageOf(NAME, { instance: client.name }, rows, page);
    return { packages: items, total: rows.length, ...rest };
  },
});
