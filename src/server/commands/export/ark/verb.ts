import { exit, UsageError } from '../../../../cli/frame.ts';
import { configOption, given, textIn } from '../../../../cli/values.ts';
import type { Values, Verb } from '../../../../kernel/command.ts';
import { isLoopback } from '../../../../kernel/plain-http.ts';
import type { ServerPlace } from '../../starting.ts';
import { byUrl, checkedUrl } from '../connection.ts';
import { type Address, hostOf, serviceAddress, urlAddress } from './address.ts';
import { arkName, isServerName, nameProblems } from './names.ts';
import { type ArkExport, arkYaml } from './resources.ts';
import { type FoundTools, findTools } from './tools.ts';

type Config = Awaited<ReturnType<ServerPlace['load']>>['config'];

/** `sluice export ark`: prints what `kubectl apply` takes, and says what else the cluster needs. */
export function arkVerb(place: ServerPlace): Verb {
  const { terminal } = place;
  return {
    summary: 'Prints the objects that connect ARK: an MCPServer and, if you want, an Agent and a Query',
    usage:
      '[--service S | --url U] [--toolset T] [--name N] [--namespace N] [--secret NAME[/KEY]] [--agent N [--tools G] [--model M] [--query Q]] [--config F]',
    example: 'sluice export ark --service sluice.default --toolset ark | kubectl apply -f -',
    options: {
      service: { type: 'string', describe: "Sluice's Service: NAME[.NAMESPACE][:PORT]; the port by name or number" },
      url: { type: 'string', describe: 'The URL to use (server.publicUrl, else that of the running gateway)' },
      toolset: { type: 'string', describe: 'Only the tools of this toolset' },
      name: { type: 'string', describe: "The MCPServer's name; the names of its tools begin with it (sluice)" },
      namespace: { type: 'string', describe: 'The namespace of the objects (the one of kubectl)' },
      secret: { type: 'string', describe: 'The Secret with the token, and its key (mcp-auth-token/token)' },
      agent: { type: 'string', describe: 'Also print an Agent of this name that has the tools' },
      tools: { type: 'string', describe: "The Agent's tools: names or patterns, separated by commas (*)" },
      model: { type: 'string', describe: "The Agent's Model (default)" },
      query: { type: 'string', describe: 'Also print a Query that asks the Agent this' },
      config: configOption,
    },
    async run({ values }) {
      const wanted = wantedIn(values);
      const file = textIn(values, 'config');
      const { config } = await place.load(file);
      const { name, namespace, secret, toolset } = wanted;
      const address = await addressIn(place, values, config);
      const found = await findTools(place, {
        toolset,
        file,
        toolsets: Object.keys(config.toolsets),
        wanted: wanted.agent?.patterns,
      });
      const tools = found.chosen.map((tool) => arkName(name, tool));
      const { agent, query } = wanted;
      const yaml = arkYaml({
        name,
        address,
        secret,
        ...given('namespace', namespace),
        ...given('query', query),
        ...(agent && { agent: { name: agent.name, model: agent.model, tools } }),
      });
      terminal.print(yaml.trimEnd());
      for (const note of [...toolNotes(name, found), ...hostNotes(address, namespace, config)]) terminal.say(note);
      terminal.say(tokenNote(secret, namespace));
      return exit.done;
    },
  };
}

interface Wanted {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly toolset: string | undefined;
  readonly secret: ArkExport['secret'];
  readonly agent: { readonly name: string; readonly model: string; readonly patterns: readonly string[] } | undefined;
  readonly query: string | undefined;
}

function wantedIn(values: Values): Wanted {
  const [name = 'sluice', namespace, agent, toolset] = ['name', 'namespace', 'agent', 'toolset'].map((option) =>
    textIn(values, option),
  );
  for (const [option, text] of Object.entries({ name, namespace, agent })) {
    if (text !== undefined && !isServerName(text))
      throw new UsageError(`--${option} must be lower-case letters, digits and "-", at most 63 of them, not ${text}`);
  }
  if (toolset !== undefined && !/^[\w-]{1,40}$/.test(toolset))
    throw new UsageError(`--toolset names a toolset of sluice.yaml, not ${toolset}`);
  for (const option of ['tools', 'model', 'query'])
    if (agent === undefined && values[option] !== undefined) throw new UsageError(`--${option} needs --agent`);
  const patterns = (textIn(values, 'tools') ?? '*').split(',').map((one) => one.trim());
  return {
    name,
    namespace,
    toolset,
    secret: secretIn(textIn(values, 'secret') ?? 'mcp-auth-token'),
    agent: agent === undefined ? undefined : { name: agent, model: textIn(values, 'model') ?? 'default', patterns },
    query: textIn(values, 'query'),
  };
}

function secretIn(text: string): ArkExport['secret'] {
  const [name = '', key = 'token', ...rest] = text.split('/');
  if (/^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/.test(name) && /^[-._a-zA-Z0-9]+$/.test(key) && rest.length === 0)
    return { name, key };
  // It may be the token itself, so do not repeat it.
  throw new UsageError('--secret looks like mcp-auth-token/token: the name of a Secret and its key, not the token');
}

async function addressIn(place: ServerPlace, values: Values, { server }: Config): Promise<Address> {
  const [service, url] = [textIn(values, 'service'), textIn(values, 'url')];
  const [toolset, namespace] = [textIn(values, 'toolset'), textIn(values, 'namespace')];
  if (service !== undefined && url !== undefined) throw new UsageError('use --service or --url, not both');
  if (service !== undefined) return serviceAddress(service, toolset, namespace);
  const known = url ?? server.publicUrl;
  const connection = await byUrl(place, known && checkedUrl(known), textIn(values, 'config'));
  return urlAddress(connection.url, toolset);
}

function toolNotes(server: string, { chosen, listed }: FoundTools): string[] {
  const problems = nameProblems(server, listed ?? chosen).map((problem) => `Warning: ${problem}`);
  return listed ? problems : [...problems, 'No gateway runs here, so Sluice did not check which tools there are.'];
}

/** Sluice refuses requests for a host that it does not know. */
function hostNotes(address: Address, namespace: string | undefined, { server }: Config): string[] {
  const host = hostOf(address, namespace);
  if (isLoopback(host))
    return [`Warning: ARK cannot reach ${host}, which is this machine. Say where Sluice is: --service or --url.`];
  const own = server.publicUrl === undefined ? [] : [new URL(server.publicUrl).hostname];
  if ([server.host, ...own, ...server.allowedHosts].includes(host)) return [];
  return [`Sluice must accept the host: add ${host} to server.allowedHosts, or set SLUICE_ALLOWED_HOSTS=${host}`];
}

function tokenNote({ name, key }: ArkExport['secret'], namespace: string | undefined): string {
  const kubectl = namespace === undefined ? 'kubectl' : `kubectl -n ${namespace}`;
  return `ARK reads the token from a Secret. If there is none yet:
  ${kubectl} create secret generic ${name} --from-literal=${key}="$MCP_AUTH_TOKEN"
The token is MCP_AUTH_TOKEN of Sluice, or a key: sluice keys create --name ark`;
}
