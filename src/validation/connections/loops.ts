import { isRecord, own } from '../json/record.ts';
import type { NodeView, Subject } from '../subject/subject.ts';

export interface Loop {
  /** The Loop Over Items node. */
  readonly over: NodeView;
  /** The nodes that run for each batch. */
  readonly body: readonly NodeView[];
}

const found = new WeakMap<Subject, readonly Loop[]>();

/** Loops made with Loop Over Items. */
export function loopsOf(subject: Subject): readonly Loop[] {
  let loops = found.get(subject);
  if (!loops) {
    loops = subject.nodes
      .filter(({ type, disabled }) => type === 'n8n-nodes-base.splitInBatches' && !disabled)
      .slice(0, MOST)
      .map((over) => ({ over, body: bodyOf(over, subject) }));
    found.set(subject, loops);
  }
  return loops;
}

const MOST = 100;

/** The nodes that come both after and before it. */
function bodyOf(over: NodeView, subject: Subject): NodeView[] {
  return [...subject.upstream(over)].filter((node) => node !== over && subject.upstream(node).has(over));
}

export function asksAnother({ summary, type, disabled }: NodeView): boolean {
  return !disabled && (type === 'n8n-nodes-base.httpRequest' || summary?.type === 'EXTERNAL_ACTION');
}

export function hasBatching(parameters: Readonly<Record<string, unknown>>): boolean {
  const options = own(parameters, 'options');
  return isRecord(options) && own(options, 'batching') !== undefined;
}
