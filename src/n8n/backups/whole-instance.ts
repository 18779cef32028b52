import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { type DataTable, type Row, rowShape, tableShape } from '../client/data-tables.ts';
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

/** The data tables in a backup of a whole n8n. */
export interface WholeTables {
  readonly instance: string;
  readonly taken: string;
  /** All of them. */
  readonly tables: readonly DataTable[];
  /** The rows of those that are wanted, by the id of their table. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

/** Reads the rows of some data tables, with only these in memory: each row is a line of its own. */
export async function tablesInWhole(
  id: string,
  content: AsyncIterable<Buffer>,
  isWanted: (table: DataTable) => boolean,
): Promise<WholeTables> {
  let head: Record<string, unknown> | undefined;
  let isTables = false;
  let wanted: unknown[] | undefined;
  const tables: unknown[] = [];
  const found = new Map<string, unknown[]>();
  for await (const line of linesOf(verified(id, content))) {
    if (!head) head = parsed(`${line.slice(0, -1)}}`) ?? {};
    else if (line === '"dataTables":[') isTables = true;
    else if (isTables && HEADER.test(line)) {
      const { table } = parsed(line.replace(HEADER, '}')) ?? {};
      tables.push(table);
      const { data } = tableShape.safeParse(table);
      wanted = data && isWanted(data) ? [] : undefined;
      if (data && wanted) found.set(data.id, wanted);
    } else if (isTables && wanted && line.startsWith('{')) wanted.push(rowIn(line));
  }
  // Only now the checksum is known to match.
  const rows = new Map([...found].map(([table, some]) => [table, rowShape.array().parse(some)]));
  return {
    instance: String(head?.instance),
    taken: String(head?.taken),
    tables: tableShape.array().parse(tables),
    rows,
  };
}

/** The end of the line that begins a table. No line of a row ends so: its cells are not lists. */
const HEADER = /,"rows":\[(?:\]\}\]?,)?$/;

/** After a row come the next one, the end of its table, or the end of all of them. */
const rowIn = (line: string): unknown =>
  [']}],', ']},', ',']
    .map((end) => (line.endsWith(end) ? parsed(line.slice(0, -end.length)) : undefined))
    .find(Boolean);

async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
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
