import { circlesAlong } from '../../connections/circles.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';
import { asksAnother, hasBatching, loopsOf } from '../../connections/loops.ts';

export const waitInLoop: Rule = {
  id: 'wait-in-loop',
  group: 'suggestions',
  title: 'A loop of requests pauses between them.',
  severity: 'info',
  check(subject, report) {
    const asking = [...new Set(bodies(subject).flatMap(hurried))];
    const [first, ...others] = asking;
    if (!first) return;
    report({
      node: first.name,
      path: first.pointer,
      message: `This loop sends requests without a pause, and may run into the rate limit of the service. Put a Wait node into the loop, or set "retryOnFail" with a wait between tries.${
        others.length > 0 ? ` The same goes for ${named(others)}.` : ''
      }`,
    });
  },
};

/** Nodes that run repeatedly: for each batch, or until a condition holds. */
function bodies(subject: Subject): readonly (readonly NodeView[])[] {
  const batches = loopsOf(subject);
  const over = new Set(batches.map((loop) => loop.over));
  const circles = circlesAlong(subject.edges.filter(({ kind }) => kind === 'main'));
  return [...batches.map(({ body }) => body), ...circles.filter((circle) => !circle.some((node) => over.has(node)))];
}

/** Only the first one is reported. */
function hurried(body: readonly NodeView[]): NodeView[] {
  if (body.some((node) => !node.disabled && waits(node))) return [];
  const asking = body.find((node) => asksAnother(node) && !hasBatching(node.parameters));
  return asking ? [asking] : [];
}

function waits({ type, raw, parameters }: NodeView): boolean {
  if (/\.(wait|form)$/.test(type) || own(parameters, 'operation') === 'sendAndWait') return true;
  return own(raw, 'retryOnFail') === true;
}
