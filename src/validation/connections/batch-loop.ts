import { circlesAlong } from './circles.ts';
import { versionOf } from '../subject/node-knowledge.ts';
import type { NodeView, Subject } from '../subject/subject.ts';

export const isBatchLoop = ({ type, disabled }: NodeView): boolean =>
  type === 'n8n-nodes-base.splitInBatches' && !disabled;

/** The output for the next batch, and the output for everything at the end. The oldest version has no second output. */
export function batchOutputs(node: NodeView): { readonly loop: number; readonly done: number | undefined } {
  const version = versionOf(node);
  if (version >= 3) return { loop: 1, done: 0 };
  return { loop: 0, done: version >= 2 ? 1 : undefined };
}

export function isWired(node: NodeView, output: number, { from }: Subject): boolean {
  return from(node).some((edge) => edge.kind === 'main' && edge.output === output);
}

/** Whether a path from this output leads back to the node. */
export function comesBack(node: NodeView, output: number, subject: Subject): boolean {
  const circle = circleOf(subject);
  const own = circle.get(node);
  return (
    own !== undefined &&
    subject.from(node).some((edge) => edge.kind === 'main' && edge.output === output && circle.get(edge.target) === own)
  );
}

/** "done" leads back to the node, or nothing is connected to "loop". */
export function isReversed(node: NodeView, subject: Subject): boolean {
  if (!isBatchLoop(node)) return false;
  const { loop, done } = batchOutputs(node);
  if (done === undefined || !isWired(node, done, subject)) return false;
  if (!isWired(node, loop, subject)) return true;
  return !comesBack(node, loop, subject) && comesBack(node, done, subject);
}

const known = new WeakMap<Subject, ReadonlyMap<NodeView, number>>();

/** The number of the circle that each node is on. */
function circleOf(subject: Subject): ReadonlyMap<NodeView, number> {
  let numbers = known.get(subject);
  if (!numbers) {
    const circles = circlesAlong(subject.edges.filter(({ kind }) => kind === 'main'));
    numbers = new Map(circles.flatMap((circle, number) => circle.map((node) => [node, number] as const)));
    known.set(subject, numbers);
  }
  return numbers;
}
