import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { type Workflow, workflowShape } from '../client/shapes.ts';
import { WHOLE } from './backup-id.ts';
import type { Backup, InstanceContent, InstanceNote } from './backups.ts';

const KIND = 'sluice.instance';

export const isWhole = (id: string): boolean => id.split('/')[1] === WHOLE;

export const wholeHead = (instance: string, taken: Date) => ({
  kind: KIND,
  format: 1,
  instance,
  taken: taken.toISOString(),
});

export function wholeNote(
  id: string,
  found: { head: Record<string, unknown>; bytes: number } | undefined,
): InstanceNote | undefined {
  if (found?.head.kind !== KIND) return undefined;
  const { instance, taken } = found.head;
  return { id, instance: String(instance), taken: String(taken), bytes: found.bytes };
}

/** The members of the file, one workflow and one row at a time. */
export async function* wholeMembers(content: InstanceContent): AsyncGenerator<string> {
  yield `"tags":${JSON.stringify(content.tags)},\n"credentials":${JSON.stringify(content.credentials)},\n"workflows":`;
  yield* listed(content.workflows, (workflow) => [JSON.stringify(workflow)]);
  yield ',\n"dataTables":';
  yield* listed(content.dataTables, async function* ({ table, rows }) {
    yield `{"table":${JSON.stringify(table)},"rows":`;
    yield* listed(rows, (row) => [JSON.stringify(row)]);
    yield '}';
  });
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

/** Finds one workflow in a backup of a whole n8n. */
export function findInWhole(id: string, file: Record<string, unknown>, wanted: string | undefined): Backup {
  const workflows = workflowShape.array().parse(file.workflows);
  if (wanted === undefined) {
    throw new AppError(
      'invalid_input',
      `${shown(id)} is a backup of a whole n8n. Say which workflow in it: "workflow" is its id.`,
    );
  }
  const content = workflows.find((workflow) => workflow.id === wanted);
  if (!content) throw notInIt(wanted, workflows);
  return {
    id,
    instance: String(file.instance),
    workflow: content.id,
    name: content.name,
    taken: String(file.taken),
    reason: 'asked',
    why: 'asked for',
    active: content.active,
    nodes: content.nodes.length,
    bytes: JSON.stringify(content).length,
    content,
  };
}

function notInIt(wanted: string, workflows: readonly Workflow[]): AppError {
  const ids = new Map(workflows.flatMap(({ id, name }) => [[id, id] as const, [name, id] as const]));
  const near = nearestNames(wanted, ids.keys()).map((name) => `${name} (id ${ids.get(name)})`);
  return new AppError('not_found', sentences(`That backup has no workflow ${shown(wanted)}.`, didYouMean(near)));
}
