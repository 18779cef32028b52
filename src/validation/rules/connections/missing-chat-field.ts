import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { isOutline } from '../../structure/outline.ts';
import { lacks } from '../../connections/lacking-field.ts';

const PROMPT = 'chatInput';
const SESSION = 'sessionId';

/** n8n publishes the workflow, and the first run fails with "No prompt specified" or "No session ID found". */
export const missingChatField: Rule = {
  id: 'missing-chat-field',
  group: 'connections',
  title:
    'A node that reads its prompt or session from a chat comes after a chat trigger, or after a node with the same fields.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    if (isOutline(subject)) return;
    const hasChat = subject.nodes.some(({ type }) => /\.(?:manualC|c)hatTrigger$/.test(type));
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky) continue;
      if (chosen(node, 'promptType') === 'auto') {
        const source = withoutField(node, PROMPT, subject);
        if (source) {
          report({
            node: node.name,
            path: `${node.pointer}/parameters`,
            message: `The prompt comes from the field "${PROMPT}" of a chat, but "${source.name}" has no such field, so the node fails. Set "promptType" to "define" and "text" to an expression with the prompt${exampleAfter(source)}.`,
            ...weightOf(source),
          });
        }
      }
      // n8n finds a chat trigger anywhere in the workflow.
      if (hasChat || chosen(node, 'sessionIdType') !== 'fromInput') continue;
      for (const { target, kind } of subject.from(node)) {
        const source = kind === 'ai_memory' && !target.disabled ? withoutField(target, SESSION, subject) : undefined;
        if (!source) continue;
        report({
          node: node.name,
          path: `${node.pointer}/parameters`,
          message: `The session comes from the field "${SESSION}" of a chat, but "${source.name}", which feeds "${target.name}", has no such field, so the node fails. Set "sessionIdType" to "customKey" and "sessionKey" to a value that identifies the conversation.`,
          ...weightOf(source),
        });
        break;
      }
    }
  },
};

function chosen(node: NodeView, name: string): unknown {
  return node.fields().find(({ path }) => path.length === 1 && path[0] === name)?.value;
}

/** A node directly before it, if certainly none of those has the field. */
function withoutField(node: NodeView, field: string, subject: Subject): NodeView | undefined {
  const sources = subject.to(node).flatMap(({ kind, source }) => (kind === 'main' ? [source] : []));
  const pins = own(subject.workflow, 'pinData');
  const lacking = (source: NodeView) =>
    !(isRecord(pins) && own(pins, source.name) !== undefined) && lacks(source, field);
  return sources.every(lacking) ? (sources.find((one) => !isByHand(one)) ?? sources[0]) : undefined;
}

const isByHand = ({ type }: NodeView) => type === 'n8n-nodes-base.manualTrigger';

/** In the editor it returns nothing, but a caller from outside may pass data in. */
const weightOf = (source: NodeView) => isByHand(source) && { severity: 'warning' as const };

const exampleAfter = ({ type }: NodeView) =>
  type === 'n8n-nodes-base.webhook' ? ', for example ={{ $json.body.message }}' : '';
