import type { Json } from '../../../kernel/source.ts';
import type { AskedVariable } from './asked-variables.ts';
import type { ZipEntry } from './zip.ts';

/** How the bundle starts Sluice. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const DESCRIPTION = 'Many MCP servers, n8n and a self-hosted stack as one MCP server.';
const SCRIPT = 'server/start.sh';

/**
 * Node moves with each update of a package manager, and Sluice with its folder: then the Node of the PATH serves, or the log
 * of the client says what to do.
 */
const script = `#!/bin/sh
# $1 is Node, $2 is Sluice; the rest are arguments of Sluice.
node=$1
shift
[ -x "$node" ] || node=$(command -v node)
if [ -z "$node" ] || [ ! -f "$1" ]; then
  echo "Sluice is no longer at $1. Run 'sluice export mcpb' again and open the new bundle." >&2
  exit 1
fi
exec "$node" "$@"
`;

/** A bundle that starts the Sluice of this machine. */
export function localBundle(
  version: string,
  { command, args, env }: Started,
  asked: readonly AskedVariable[],
): ZipEntry[] {
  // A program, not "node": with that, the client may take a Node of its own, without some of what Sluice needs.
  const server = {
    type: 'binary',
    entry_point: SCRIPT,
    mcp_config: {
      command: '/bin/sh',
      args: [`\${__dirname}/${SCRIPT}`, command, ...args],
      env: { ...env, ...Object.fromEntries(asked.map(({ name }) => [name, `\${user_config.${keyOf(name)}}`])) },
    },
  };
  const manifest = {
    ...manifestOf(version, server, asked),
    long_description:
      'Starts the Sluice that is installed on this machine, with its configuration. If `sluice serve` runs, the bundle uses that one.',
    compatibility: { platforms: [process.platform] },
  };
  return [entry('manifest.json', manifest), { name: SCRIPT, content: script, mode: 0o755 }];
}

/** What a bundle for other machines asks for. Everything is optional: Sluice works without an n8n. */
const n8nVariables: readonly AskedVariable[] = [
  {
    name: 'N8N_URL',
    title: 'Address of your n8n',
    description: 'For example http://127.0.0.1:5678. Leave it empty if you have none.',
    preset: '',
  },
  {
    name: 'N8N_API_KEY',
    title: 'API key of your n8n',
    description: 'n8n shows it once, under Settings > n8n API.',
    preset: '',
    secret: true,
  },
];

/** A bundle for other machines: npm installs this version of Sluice there when it is first started. */
export function npmBundle(version: string): ZipEntry[] {
  const args = ['-y', `--package=sluice@${version}`, 'sluice', 'stdio'];
  const server = {
    type: 'node',
    entry_point: 'package.json',
    mcp_config: {
      command: 'npx',
      args,
      env: Object.fromEntries(n8nVariables.map(({ name }) => [name, `\${user_config.${keyOf(name)}}`])),
    },
  };
  const manifest = {
    ...manifestOf(version, server, n8nVariables),
    long_description:
      'npm installs Sluice when the bundle is first started, which takes a minute and needs the network. Put a sluice.yaml into the data directory to add MCP servers.',
    compatibility: { platforms: ['darwin', 'linux'], runtimes: { node: '>=24' } },
  };
  const dependencies = { sluice: version };
  return [entry('manifest.json', manifest), entry('package.json', { private: true, type: 'module', dependencies })];
}

function manifestOf(version: string, server: Json, asked: readonly AskedVariable[]): Json {
  return {
    manifest_version: '0.3',
    name: 'sluice',
    display_name: 'Sluice',
    version,
    description: DESCRIPTION,
    author: { name: 'Sluice' },
    license: 'MIT',
    keywords: ['mcp', 'gateway', 'n8n', 'automation'],
    server,
    tools_generated: true,
    prompts_generated: true,
    ...(asked.length > 0 && {
      user_config: Object.fromEntries(asked.map((one) => [keyOf(one.name), questionFor(one)])),
    }),
  };
}

/** Without a preset, a variable that is left empty would arrive as the text of its reference. */
const questionFor = ({ title, description, preset, secret }: AskedVariable): Json => ({
  type: 'string',
  title,
  description,
  ...(secret && { sensitive: true }),
  ...(preset === undefined ? { required: true } : { required: false, default: preset }),
});

const keyOf = (name: string) => name.toLowerCase();

const entry = (name: string, content: Json): ZipEntry => ({
  name,
  content: `${JSON.stringify(content, null, 2)}\n`,
  mode: 0o644,
});
