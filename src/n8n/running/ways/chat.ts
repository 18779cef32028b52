import { AppError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../client/shapes.ts';
import type { N8nItem } from '../../items.ts';
import { appendFile, filesSchema } from '../arguments/files.ts';
import { objectSchema } from '../arguments/object-schema.ts';
import type { Unfit, Way } from '../way.ts';

/** A message in a chat. */
export const chat: Way = {
  kind: 'chat',
  types: ['@n8n/n8n-nodes-langchain.chatTrigger'],
  items: chatItems,
  address: (node) => (isPublic(node) ? { path: `webhook/${node.webhookId}/chat` } : undefined),
  outside: {
    isOpen: isPublic,
    request(node, data) {
      const body = messageOf(data);
      // Other executions may have the same session: the message tells them apart.
      const marks = [JSON.stringify(body.sessionId), JSON.stringify(body.chatInput)];
      return { method: 'POST', path: pathOf(node), body, marks };
    },
    tool({ node }) {
      const unfit = whyUnfit(node);
      if (unfit) return unfit;
      const { responseMode = 'lastNode', allowFileUploads } = optionsOf(node);
      const properties: Json = {
        message: { type: 'string', minLength: 1, description: 'What to say' },
        session_id: {
          type: 'string',
          minLength: 1,
          description: 'Any text; the same text continues the same conversation',
        },
        ...(allowFileUploads === true && { files: filesSchema }),
      };
      return {
        schema: objectSchema(properties, ['message'], false),
        answering: responseMode === 'streaming' ? 'stream' : 'answer',
        request({ message, session_id, files }) {
          const body = messageOf({ sessionId: session_id, chatInput: message });
          const target = { method: 'POST', path: pathOf(node) };
          if (!Array.isArray(files) || files.length === 0) return { ...target, body };
          const form = new FormData();
          for (const [name, value] of Object.entries(body)) form.set(name, value);
          for (const file of files) appendFile(form, 'files', file);
          return { ...target, body: form };
        },
      };
    },
    description: (workflow) => `Sends a message to the n8n workflow "${workflow}" and returns its reply.`,
  },
};

interface Options {
  readonly responseMode?: unknown;
  readonly allowFileUploads?: unknown;
}

const optionsOf = ({ parameters: { options } }: Node): Options => options ?? {};

/** Whether it can be reached from outside the editor. */
function isPublic({ parameters, webhookId }: Node): boolean {
  return parameters.public === true && webhookId !== undefined;
}

const pathOf = ({ webhookId }: Node): string => `/webhook/${encodeURIComponent(webhookId as string)}/chat`;

function whyUnfit(node: Node): Unfit | undefined {
  const { authentication = 'none' } = node.parameters;
  if (!isPublic(node)) {
    return {
      reason: 'Its chat cannot be reached from outside. Switch "Make Chat Publicly Available" on in its trigger.',
    };
  }
  if (authentication !== 'none') {
    return {
      reason: `Its chat requires ${String(authentication)}, which Sluice cannot provide. Add a trigger "When Executed by Another Workflow", which needs none.`,
    };
  }
  if (optionsOf(node).responseMode !== 'responseNodes') return undefined;
  return {
    reason:
      'Its chat answers with several messages over a connection that stays open. Let it respond when the last node finishes, or with Respond to Webhook.',
  };
}

/** The item that a chat trigger outputs for these data. */
export function chatItems(_: Node, data: unknown): N8nItem[] {
  return [{ json: messageOf(data) }];
}

type Message = Readonly<Record<'action' | 'sessionId' | 'chatInput', string>>;

/** The message to send. Callers give a text, or an object with one in `chatInput`. */
function messageOf(data: unknown = {}): Message {
  const given = typeof data === 'string' ? { chatInput: data } : (data as Record<string, unknown>);
  if (typeof given.chatInput !== 'string') {
    throw new AppError('invalid_input', 'A chat takes a text: data is that text, or { chatInput, sessionId? }.');
  }
  const sessionId = typeof given.sessionId === 'string' ? given.sessionId : crypto.randomUUID();
  return { action: 'sendMessage', ...given, sessionId, chatInput: given.chatInput };
}
