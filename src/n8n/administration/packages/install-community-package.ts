import { AppError } from '../../../kernel/errors.ts';
import { n8nTool } from '../../tool.ts';
import { packageNameInput, packageOf, packageOutput, trust, verifyInput, versionInput } from './package-input.ts';

export const installCommunityPackage = n8nTool({
  name: 'n8n_install_community_package',
  title: 'Install community package',
  description:
    'Installs a community node package from npm into n8n. By default only what n8n has checked; "verify": false takes any package.',
  effect: 'execute',
  confirms: true,
  phrases:
    'install a community node; add a community package; install n8n-nodes; get a third-party node into n8n; add a node from npm; i need a community node; install a plugin for n8n; extend n8n with a package; a missing node type, install its package; set up a community package',
  tags: ['packages', 'nodes'],
  input: { name: packageNameInput, version: versionInput, verify: verifyInput },
  output: packageOutput,
  async preview({ name, version, verify = true }, { client }, { signal }) {
    const all = await client.communityPackages.all(signal);
    const known = all.find(({ packageName, failedLoading }) => packageName === name && !failedLoading);
    if (known) {
      throw new AppError(
        'conflict',
        `${name} ${known.installedVersion} is installed already. n8n_update_community_package changes its version.`,
      );
    }
    return `It installs ${name}${version === undefined ? '' : `@${version}`} from npm into n8n (${client.name}). ${trust(verify)}`;
  },
  async run({ name, version, verify = true }, { client, catalogues }, { signal }, progress) {
    signal.throwIfAborted();
    progress(0, undefined, `installing ${name}`);
    const wanted = { verify, ...(version !== undefined && { version }) };
    const installed = await client.communityPackages.install(name, wanted);
    catalogues.refresh?.(client.name);
    return packageOf(installed);
  },
});
