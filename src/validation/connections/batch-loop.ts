import { circlesAlong } from './circles.ts';
import { versionOf } from '../subject/node-knowledge.ts';
import type { NodeView, Subject } from '../subject/subject.ts';

export const isBatchLoop = ({ type, disabled }: NodeView): boolean =>
  type === 'n8n-nodes-base.splitInBatches' && !disabled;

/** Which output gives the next batch, and which one everything at the end; the oldest version ends without a word. */
export function batchOutputs(node: NodeView): { readonly loop: number; readonly done: number | undefined } {
  const version = versionOf(node);
  if (version >= 3) return { loop: 1, done: 0 };
  return { loop: 0, done: version >= 2 ? 1 : undefined };
}

export function isWired(node: NodeView, output: number, { from }: Subject): boolean {
  return from(node).some((edge) => edge.kind === 'main' && edge.output === output);
}

/** Whether what leaves by this output can get back to the node. */
export function comesBack(node: NodeView, output: number, subject: Subject): boolean {
  const circle = circleOf(subject);
  const own = circle.get(node);
  return (
    own !== undefined &&
    subject.from(node).some((edge) => edge.kind === 'main' && edge.output === output && circle.get(edge.target) === own)
  );
}

/** What should come back leaves by "done", or nothing leaves by "loop" at all. */
export function isReversed(node: NodeView, subject: Subject): boolean {
  if (!isBatchLoop(node)) return false;
  const { loop, done } = batchOutputs(node);
  if (done === undefined || !isWired(node, done, subject)) return false;
  if (!isWired(node, loop, subject)) return true;
  return !comesBack(node, loop, subject) && comesBack(node, done, subject);
}

const known = new WeakMap<Subject, ReadonlyMap<NodeView, number>>();

/** The number of the circle that a node lies on. */
function circleOf(subject: Subject): ReadonlyMap<NodeView, number> {
  let numbers = known.get(subject);
  if (!numbers) {
    const circles = circlesAlong(subject.edges.filter(({ kind }) => kind === 'main'));
    numbers = new Map(circles.flatMap((circle, number) => circle.map((node) => [node, number] as const)));
    known.set(subject, numbers);
  }
  return numbers;
}
