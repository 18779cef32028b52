import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../../n8n/client/shapes.ts';
import { isPublicChat } from '../../../n8n/running/triggers.ts';
import { appendFile, filesSchema } from '../files.ts';
import { objectSchema, type Unfit, type Way } from './way.ts';

interface Options {
  readonly responseMode?: unknown;
  readonly allowFileUploads?: unknown;
}

/** A workflow that begins with a chat message. */
export function chatWay({ node }: { readonly node: Node }): Way | Unfit {
  const { authentication = 'none', options } = node.parameters;
  const { responseMode = 'lastNode', allowFileUploads } = (options ?? {}) as Options;
  if (!isPublicChat({ name: node.name, type: node.type, kind: 'chat', node })) {
    return {
      reason: 'Its chat cannot be reached from outside. Switch "Make Chat Publicly Available" on in its trigger.',
    };
  }
  if (authentication !== 'none') {
    return {
      reason: `Its chat wants ${String(authentication)}, which cannot be given here. Give the workflow a trigger "When Executed by Another Workflow" beside it, which needs none.`,
    };
  }
  if (responseMode === 'responseNodes') {
    return {
      reason:
        'Its chat answers with several messages over a connection that stays open. Let it respond when the last node finishes, or with Respond to Webhook.',
    };
  }
  const path = `/webhook/${encodeURIComponent(node.webhookId as string)}/chat`;
  const properties: Json = {
    message: { type: 'string', minLength: 1, description: 'What to say' },
    session_id: {
      type: 'string',
      minLength: 1,
      description: 'Any text; the same one goes on with the same conversation',
    },
    ...(allowFileUploads === true && { files: filesSchema }),
  };
  return {
    schema: objectSchema(properties, ['message'], false),
    answering: responseMode === 'streaming' ? 'stream' : 'answer',
    request({ message, session_id, files }) {
      const body = {
        action: 'sendMessage',
        sessionId: session_id ?? crypto.randomUUID(),
        chatInput: message,
      };
      const target = { method: 'POST', path };
      if (!Array.isArray(files) || files.length === 0) return { ...target, body };
      const form = new FormData();
      for (const [name, value] of Object.entries(body)) {
        form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
      }
      for (const file of files) appendFile(form, 'files', file);
      return { ...target, body: form };
    },
  };
}
