import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { type Workflow, workflowShape } from '../client/shapes.ts';
import type { Backup, InstanceContent } from './backups.ts';
import { parsed, verified } from './sealed.ts';

const KIND = 'sluice.instance';
/** Names and ids that an error can suggest. */
const MOST_NAMED = 10_000;

export const wholeHead = (instance: string, taken: Date) => ({
  kind: KIND,
  format: 1,
  instance,
  taken: taken.toISOString(),
});

/** What the first line of a backup of a whole n8n says; undefined if it is of something else. */
export const wholeIn = (head: Record<string, unknown>): { instance: string; taken: string } | undefined =>
  head.kind === KIND ? { instance: String(head.instance), taken: String(head.taken) } : undefined;

/** The members of the file, one workflow and one row at a time. */
export async function* wholeMembers(content: InstanceContent): AsyncGenerator<string> {
  yield `"tags":${JSON.stringify(content.tags)},\n"credentials":${JSON.stringify(content.credentials)},\n"workflows":`;
  yield* listed(content.workflows, (workflow) => [JSON.stringify(workflow)]);
  yield ',\n"dataTables":';
  yield* listed(content.dataTables, async function* ({ table, rows }) {
    yield '{';
    yield* tableMembers(table, rows);
    yield '}';
  });
}

/** The members of one data table, one row at a time. */
export async function* tableMembers(table: unknown, rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `"table":${JSON.stringify(table)},"rows":`;
  yield* listed(rows, (row) => [JSON.stringify(row)]);
}

async function* listed<T>(
  items: AsyncIterable<T>,
  parts: (item: T) => Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  let before = '[\n';
  for await (const item of items) {
    yield before;
    yield* parts(item);
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : ']';
}

/**
 * Finds one workflow in a backup of a whole n8n, which may be larger than memory: each workflow is a line of its own. Reads
 * to the end, because only then the checksum is known to match. Returns the error if it has no such workflow, because no
 * other copy of it has one.
 */
export async function findInWhole(
  id: string,
  content: AsyncIterable<Buffer>,
  wanted: string | undefined,
): Promise<Backup | AppError> {
  if (wanted === undefined) {
    throw new AppError(
      'invalid_input',
      `${shown(id)} is a backup of a whole n8n. Say which workflow in it: "workflow" is its id.`,
    );
  }
  let head: Record<string, unknown> | undefined;
  let found: Workflow | undefined;
  let isWorkflows = false;
  const others = new Map<string, string>();
  for await (const line of linesOf(verified(id, content))) {
    if (!head) head = parsed(`${line.slice(0, -1)}}`) ?? {};
    else if (line === '"workflows":[') isWorkflows = true;
    else if (isWorkflows) {
      // A workflow is an object, so a bracket after it ends the list.
      isWorkflows = !line.endsWith('],');
      const workflow = workflowShape.safeParse(parsed(line.slice(0, isWorkflows ? -1 : -2))).data;
      if (workflow?.id === wanted) found = workflow;
      if (workflow && others.size < MOST_NAMED) others.set(workflow.id, workflow.id).set(workflow.name, workflow.id);
    }
  }
  const about = head && wholeIn(head);
  if (!about || !found) return notInIt(wanted, others);
  return {
    id,
    ...about,
    workflow: found.id,
    name: found.name,
    reason: 'asked',
    active: found.active,
    nodes: found.nodes.length,
    content: found,
  };
}

/** The lines of a backup, without their line breaks. */
export async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of content) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8');
      parts = [];
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
  }
  yield Buffer.concat(parts).toString('utf8');
}

function notInIt(wanted: string, ids: ReadonlyMap<string, string>): AppError {
  const near = nearestNames(wanted, ids.keys()).map((name) => `${name} (id ${ids.get(name)})`);
  return new AppError('not_found', sentences(`That backup has no workflow ${shown(wanted)}.`, didYouMean(near)));
}
