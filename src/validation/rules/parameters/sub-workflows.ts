import { shown } from '../../../kernel/nearest-names.ts';
import { calledBy } from '../../instance-references.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';
import type { NamedWorkflow, NodeView, Subject } from '../../subject/subject.ts';

/** A call of what is not there fails each time. Only where it is known what is on the instance. */
export const unknownSubWorkflow: Rule = {
  id: 'unknown-sub-workflow',
  group: 'parameters',
  title: 'A workflow that is called is on the instance.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, id, called } of callsIn(subject)) {
      if (called !== 'missing' || isRefused(node, subject)) continue;
      report({
        node: node.name,
        path: pathOf(node),
        message: `There is no workflow "${shown(id)}" on this n8n, so that every call of "${node.name}" fails. n8n_list_workflows shows the ids.`,
      });
    }
  },
};

/** n8n refuses to publish a workflow that calls another one which is not, wherever the node stands. */
export const unpublishedSubWorkflow: Rule = {
  id: 'unpublished-sub-workflow',
  group: 'parameters',
  title: 'A workflow that a published one calls is published.',
  severity: { publish: 'error' },
  stopsAll: true,
  check(subject, report) {
    for (const { node, id, isServing, called } of callsIn(subject)) {
      if (called === 'missing' ? !isRefused(node, subject) : called.isPublished) continue;
      // n8n looks at those when they are called.
      const isIdle = isServing && subject.from(node).length === 0;
      report({
        node: node.name,
        path: pathOf(node),
        ...(isIdle && { severity: 'warning' as const }),
        message:
          called === 'missing'
            ? `There is no workflow "${shown(id)}" on this n8n, and n8n refuses to publish a workflow that calls it. n8n_list_workflows shows the ids.`
            : `"${node.name}" calls "${shown(called.name)}" (${shown(id)}), which is not published: ${isServing ? 'every call fails' : 'n8n refuses to publish this one'}. Publish that one first, with n8n_activate_workflow.`,
      });
    }
  },
};

const pathOf = (node: NodeView) => pointer(node.pointer, 'parameters', 'workflowId');

/** Of an Execute Workflow node the other rule speaks then. */
function isRefused({ raw }: NodeView, { purpose }: Subject): boolean {
  return purpose === 'publish' && calledBy(raw)?.isServing === false;
}

interface Call {
  readonly node: NodeView;
  readonly id: string;
  readonly isServing: boolean;
  readonly called: NamedWorkflow | 'missing';
}

function callsIn({ nodes, world }: Subject): Call[] {
  const lookUp = world?.workflow;
  if (!lookUp) return [];
  return nodes.flatMap((node) => {
    const call = calledBy(node.raw);
    // To n8n, a workflow that calls itself is published with itself.
    if (!call || call.id === world.self) return [];
    const called = lookUp(call.id);
    return called === undefined ? [] : [{ node, ...call, called }];
  });
}
