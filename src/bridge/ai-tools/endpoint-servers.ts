import { exposedName } from '../../gateway/names.ts';
import type { BackendSettings } from '../../gateway/settings.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Presence } from '../../kernel/presence.ts';
import { isLostRun } from '../../n8n/executions/lost-run.ts';
import type { Endpoint } from './generate/endpoint-group.ts';
import { HEADER } from '../../n8n/generate/header.ts';
import type { Nesting } from '../loops/nesting.ts';
import type { BridgeSettings } from '../settings.ts';
import { soleArgument } from './sole-argument.ts';
import { isToolFailure } from './tool-failure.ts';
import { listedHints } from './tool-hints.ts';
import { waitingBeats } from '../waiting-beats.ts';

/** What is stored about a workflow besides its endpoints. */
export interface SourceFacts {
  readonly slug: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** Its tools can be called, but are not listed. */
  readonly unlisted?: true;
}

const START_MS = 30_000;

/** The server's name in the gateway: the workflow's slug, with a suffix for all but its first endpoint. */
export function serverName(slug: string, { part, tools }: Endpoint): string {
  if (part === 'tools') return slug;
  const [first] = tools;
  // Tool names contain no dot, so this is unambiguous.
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
  // Single tools were filtered before they were copied. The tools of another server are known only now.
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
    ...(source.unlisted && { unlisted: true as const }),
    tags: ['n8n', 'bridge', ...source.tags],
    tools: { include: bare(settings.tools.include), exclude: bare(settings.tools.exclude), rename: {}, describe: {} },
    confirm: [],
    onChange: 'allow',
    allowInternal: true,
    redactErrors: true,
    oauth: false,
    meant: soleArgument,
    checkArguments: true,
    isFailure: isToolFailure,
    hints: listedHints(endpoint),
    // The tools stay the same if n8n's address changes.
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

/** Names no execution: n8n keeps none for calls of an endpoint. */
function brokenOff(n8n: string, tool: string, error: AppError): AppError {
  if (error.data?.notExecuted !== false || !isLostRun(error)) return error;
  const words = `n8n (${n8n}) went away while ${tool} ran. The run had started, so a repeat may act twice. n8n keeps no execution of it: check what the tool changes before you repeat the call.`;
  return new AppError('unavailable', words, { cause: error, data: { n8n, begun: true, retryable: false } });
}
