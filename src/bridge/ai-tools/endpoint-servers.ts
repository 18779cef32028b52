import { exposedName } from '../../gateway/names.ts';
import type { BackendSettings } from '../../gateway/settings.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Presence } from '../../kernel/presence.ts';
import { isLostRun } from '../../n8n/executions/lost-run.ts';
import type { Endpoint } from './generate/endpoint-group.ts';
import { HEADER } from '../../n8n/generate/header.ts';
import type { Nesting } from '../loops/nesting.ts';
import type { BridgeSettings } from '../settings.ts';
import { listedHints } from './tool-hints.ts';
import { waitingBeats } from '../waiting-beats.ts';

/** What is remembered of a workflow besides its endpoints. */
export interface SourceFacts {
  readonly slug: string;
  readonly name: string;
  readonly tags: readonly string[];
}

const START_MS = 30_000;

/** What the gateway calls the server: the workflow's name, and for all but its first endpoint something behind it. */
export function serverName(slug: string, { part, tools }: Endpoint): string {
  if (part === 'tools') return slug;
  const [first] = tools;
  // No name of a tool has a dot in it.
  return part.startsWith('tools ') ? `${slug}.tools.${part.slice('tools '.length)}` : `${slug}.${first?.name ?? part}`;
}

/** An endpoint in n8n as a server of the gateway. */
export function serverOf(
  endpoint: Endpoint,
  source: SourceFacts,
  n8n: {
    name: string;
    url: string;
    secret: string;
    settings: BridgeSettings;
    presence: Presence;
    nesting: Pick<Nesting, 'enter'>;
  },
): BackendSettings {
  const { settings } = n8n;
  // Names of single tools were chosen before they were copied; those of a whole server are known only now.
  const isToolkit = endpoint.listed.some((name) => !endpoint.tools.some((tool) => tool.name === name));
  const bare = (globs: readonly string[]) =>
    isToolkit
      ? globs.map((glob) => (glob.startsWith(`${source.slug}__`) ? glob.slice(source.slug.length + 2) : glob))
      : [];
  return {
    transport: {
      kind: 'http',
      url: `${n8n.url.replace(/\/+$/, '')}/mcp/${endpoint.path}`,
      headers: { [HEADER]: n8n.secret },
    },
    prefix: source.slug,
    group: source.slug,
    description: `AI tools of the n8n workflow "${source.name}"`,
    isolation: 'shared',
    replicas: 1,
    timeout: START_MS,
    callTimeout: settings.timeout,
    callTimeouts: settings.timeouts,
    enabled: true,
    tags: ['n8n', 'bridge', ...source.tags],
    tools: { include: bare(settings.tools.include), exclude: bare(settings.tools.exclude), rename: {}, describe: {} },
    confirm: [],
    onChange: 'allow',
    allowInternal: true,
    oauth: false,
    checkArguments: true,
    hints: listedHints(endpoint),
    // The same tools, wherever n8n is now.
    catalogueKey: endpoint.path,
    presence: n8n.presence,
    brokeOff: (tool, error) => brokenOff(n8n.name, exposedName(source.slug, tool), error),
    enter(tool, context, params) {
      const name = exposedName(source.slug, tool);
      const turn = n8n.nesting.enter({ key: name, name }, context);
      if (n8n.presence.isUp()) return turn;
      const beats = waitingBeats(name, params, context, n8n.presence);
      return {
        [Symbol.dispose]() {
          beats[Symbol.dispose]();
          turn[Symbol.dispose]();
        },
      };
    },
  };
}

/** n8n keeps no execution of an endpoint's calls, so that there is none to name. */
function brokenOff(n8n: string, tool: string, error: AppError): AppError {
  if (error.data?.notExecuted !== false || !isLostRun(error)) return error;
  const words = `n8n (${n8n}) went away while ${tool} ran. The run had begun, and what it had done is done: to repeat it may act twice. n8n keeps no execution of it: look at what the tool changes before you repeat it.`;
  return new AppError('unavailable', words, { cause: error, data: { n8n, begun: true, retryable: false } });
}
