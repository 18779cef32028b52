import { toAppError } from '../../../kernel/errors.ts';
import { nodeRefused } from '../../../n8n/client/refused.ts';
import type { Found } from '../../discover.ts';
import { generatedPath } from '../../../n8n/generate/path.ts';
import { hintsOf, type ToolHints } from '../tool-hints.ts';
import { endpointWorkflow, type NamedTool, serverNameOf } from './endpoint.ts';
import { type Failure, failureSince } from './failure.ts';
import type { Generated } from '../../../n8n/generate/generated-in.ts';
import { type Probed, probeEndpoint } from './probe.ts';
import { isAsWritten, writeGenerated, type Writing } from '../../../n8n/generate/write.ts';

/** An existing endpoint, as stored. */
export interface Endpoint {
  /** The workflow its tools come from. */
  readonly source: string;
  readonly part: string;
  /** The generated workflow. */
  readonly workflow: string;
  readonly path: string;
  readonly hash: string;
  readonly tools: readonly EndpointTool[];
  /** Names that n8n lists. For an MCP client node, the tools of its server. */
  readonly listed: readonly string[];
  /** Why it does not work. */
  readonly problem?: string;
}

export interface EndpointTool {
  readonly key: string;
  readonly name: string;
  readonly fingerprint: string;
  /** Absent in records of older versions. */
  readonly hints?: ToolHints;
}

export interface Group {
  readonly source: Found;
  readonly part: string;
  readonly tools: readonly NamedTool[];
}

export interface Attempted {
  readonly endpoint?: Endpoint;
  readonly failure?: Failure;
  /** The workflow as it is in n8n now. */
  readonly generated?: Generated;
}

const NO_OBJECT =
  'Its input schema does not describe an object, but tool arguments are an object. Give the schema the type object, with the list or value as a property.';

/** Updates one endpoint, and lists its tools, unless `trusted` is the result for the same version. */
export async function alignEndpoint(
  writing: Writing,
  { source, part, tools }: Group,
  existing: Generated | undefined,
  trusted?: Endpoint,
): Promise<Attempted> {
  const { client, owner, secret, credential, signal } = writing;
  const path = generatedPath(owner, source.id, part);
  const { body, hash } = endpointWorkflow({ source, tools, path, credential, mark: { owner, part } });
  const isCurrent =
    existing?.mark.hash === hash &&
    existing.workflow.active &&
    !existing.workflow.isArchived &&
    isAsWritten(existing.workflow, body);
  if (isCurrent && trusted?.hash === hash && trusted.workflow === existing.workflow.id)
    return {
      endpoint: { ...trusted, tools: tools.map(remembered) },
      generated: existing,
      ...(trusted.problem !== undefined && { failure: { reason: trusted.problem } }),
    };
  const since = Date.now();
  let generated: Generated;
  try {
    const project = source.project?.id;
    const written = () => writeGenerated(client, body, { project, existing }, signal);
    generated = isCurrent ? existing : { workflow: await written(), mark: { owner, kind: 'endpoint', part, hash } };
  } catch (thrown) {
    const error = toAppError(thrown);
    const { code, message, data } = error;
    // n8n refuses these tools, or fails on them. Any other error is not about the tools.
    if (code !== 'invalid_input' && code !== 'conflict' && data?.status !== 500) throw error;
    // The existing workflow may be half updated. An empty hash makes sure that it is written again.
    const left = existing && { ...existing, mark: { ...existing.mark, hash: '' } };
    const node = nodeRefused(error);
    const failure = { reason: message, ...(node !== undefined && { node }) };
    return { failure, ...(left && { generated: left }) };
  }
  const workflow = generated.workflow.id;
  const probed = await probeEndpoint(client, { path, secret, serverName: serverNameOf(hash) }, signal);
  const failure = await failureOf(probed, tools, () => failureSince(client, workflow, since, signal));
  const endpoint: Endpoint = {
    source: source.id,
    part,
    workflow,
    path,
    hash,
    tools: tools.map(remembered),
    listed: 'tools' in probed ? probed.tools : [],
    ...(failure && { problem: failure.reason }),
  };
  return { endpoint, generated, ...(failure && { failure }) };
}

const remembered = ({ key, name, found }: NamedTool): EndpointTool => ({
  key,
  name,
  fingerprint: found.fingerprint,
  // The tools of another server come with their own hints.
  ...(!found.isToolkit && { hints: hintsOf(found.node) }),
});

async function failureOf(
  probed: Probed,
  tools: readonly NamedTool[],
  told: () => Promise<Failure | undefined>,
): Promise<Failure | undefined> {
  if ('problem' in probed) return (await told()) ?? { reason: probed.problem };
  const single = tools.filter(({ found }) => !found.isToolkit);
  const unfit = single.find(({ name }) => probed.unfit.includes(name));
  if (unfit) return { reason: NO_OBJECT, node: unfit.name };
  if (probed.tools.length >= single.length) return undefined;
  const missing = single.find(({ name }) => !probed.tools.includes(name));
  return { reason: 'n8n does not list it as a tool.', ...(missing && { node: missing.name }) };
}
