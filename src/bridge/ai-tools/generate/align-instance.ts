import { AppError, toAppError } from '../../../kernel/errors.ts';
import type { Progress } from '../../../kernel/progress.ts';
import type { N8nClient } from '../../../n8n/client/client.ts';
import type { SourceFacts } from '../endpoint-servers.ts';
import type { EndpointState, Lacking } from '../endpoint-state.ts';
import type { OwnRecords } from '../../../n8n/generate/records.ts';
import { ownerOf } from '../../../n8n/generate/owner.ts';
import { alignSource, type Refused, type Wanted } from './align-source.ts';
import type { Endpoint } from './endpoint-group.ts';
import { generatedIn } from '../../../n8n/generate/generated-in.ts';
import { headerCredential, headerSecret } from '../../../n8n/generate/header.ts';
import { deleteGenerated } from '../../../n8n/generate/write.ts';

/** How many failures the error quotes. They are mostly the same. */
const MOST_TOLD = 3;

export interface WantedSource {
  readonly wanted: Wanted;
  readonly facts: SourceFacts;
}

/**
 * Updates the endpoints of one n8n, one workflow after the other. Stores the state after each, so that an interrupted
 * alignment continues where it stopped.
 */
export async function alignInstance(
  { client, records, signal }: { client: N8nClient; records: OwnRecords; signal: AbortSignal },
  sources: readonly WantedSource[],
  before: EndpointState,
  keep: (change: Partial<EndpointState>) => Promise<void>,
  progress?: Progress,
): Promise<void> {
  const owner = await ownerOf(records);
  const secret = await headerSecret(records, client.name);
  const ours = (await generatedIn(client, signal)).filter(
    ({ mark }) => mark.owner === owner && mark.kind === 'endpoint',
  );
  const wantedIds = new Set(sources.map(({ wanted }) => wanted.found.id));
  const facts: Record<string, SourceFacts> = Object.create(null) as Record<string, SourceFacts>;
  for (const source of sources) facts[source.wanted.found.id] = source.facts;
  let endpoints = before.endpoints.filter(({ source }) => wantedIds.has(source));
  const lacking: Lacking[] = [];
  const refused: Record<string, readonly Refused[]> = Object.create(null) as Record<string, readonly Refused[]>;
  const trouble: AppError[] = [];

  for (const [index, { wanted }] of sources.entries()) {
    const { id, name, project } = wanted.found;
    progress?.(index, sources.length, name);
    try {
      const credential = await headerCredential({ client, records, owner, project: project?.id }, signal);
      const mine = ours.filter(({ mark }) => mark.source === id);
      const past = {
        endpoints: before.endpoints.filter(({ source }) => source === id),
        refused: Object.hasOwn(before.refused, id) ? (before.refused[id] ?? []) : [],
      };
      const aligned = await alignSource({ client, owner, secret, credential, signal }, wanted, mine, past);
      endpoints = [...endpoints.filter(({ source }) => source !== id), ...aligned.endpoints];
      if (aligned.refused.length > 0) refused[id] = aligned.refused;
      lacking.push(...aligned.refused.map((one) => ({ workflow: id, tool: one.name, reason: one.reason })));
      lacking.push(...broken(aligned.endpoints));
    } catch (error) {
      const { code, message, data } = toAppError(error);
      // If n8n cannot be reached, the other workflows would fail too.
      if (signal.aborted || code === 'unavailable' || code === 'timeout' || code === 'unauthenticated') throw error;
      trouble.push(new AppError(code, `"${name}": ${message}`, { cause: error, ...(data && { data }) }));
    }
    await keep({ endpoints, sources: { ...before.sources, ...facts }, lacking, refused: { ...refused } });
  }
  const surplus = ours.filter(({ mark }) => mark.source === undefined || !wantedIds.has(mark.source));
  for (const { workflow } of surplus) await deleteGenerated(client, workflow.id, signal);
  await keep({ endpoints, sources: { ...facts }, lacking, refused: { ...refused } });
  if (sources.length > 0) progress?.(sources.length, sources.length, 'done');
  const [first, ...others] = trouble;
  if (!first) return;
  const words = [first, ...others.slice(0, MOST_TOLD - 1)].map(({ message }) => message);
  const more = trouble.length > MOST_TOLD ? ` And ${trouble.length - MOST_TOLD} more.` : '';
  throw new AppError(first.code, `${words.join(' ')}${more}`, {
    cause: first,
    ...(first.data && { data: first.data }),
  });
}

const broken = (endpoints: readonly Endpoint[]): Lacking[] =>
  endpoints.flatMap(({ source, tools, problem }) =>
    problem === undefined ? [] : tools.map(({ name }) => ({ workflow: source, tool: name, reason: problem })),
  );
