import { z } from 'zod';
import { brief } from '../text-part.ts';
import type { OpenhandsEvent } from './answers.ts';

export const eventOutput = z.object({
  id: z.string().optional(),
  time: z.string().optional(),
  who: z.string().describe('user, agent or environment'),
  what: z.string().describe('message, a tool that is called, its result, or error'),
  text: z.string(),
  exit_code: z.number().optional(),
  failed: z.boolean().optional(),
});

interface Read {
  readonly what: string;
  readonly text: string;
  readonly exit_code?: number;
  readonly failed?: true;
}

/** Kinds that say something to people. The others are bookkeeping. */
export function read(event: OpenhandsEvent): Read | undefined {
  const tool = event.tool_name ?? 'tool';
  switch (event.kind) {
    case 'MessageEvent':
      return { what: 'message', text: joined(event.llm_message?.content) };
    case 'ActionEvent': {
      const action = event.action ?? {};
      // Its last word.
      if (tool === 'finish' && typeof action.message === 'string') return { what: 'message', text: action.message };
      return { what: tool, text: [event.summary ?? joined(event.thought), done(action)].filter(Boolean).join('\n') };
    }
    case 'ObservationEvent': {
      const { content, exit_code, is_error } = event.observation ?? {};
      return {
        what: `result of ${tool}`,
        text: typeof content === 'string' ? content : joined(content),
        ...(typeof exit_code === 'number' && { exit_code }),
        ...((is_error === true || (typeof exit_code === 'number' && exit_code !== 0)) && { failed: true }),
      };
    }
    case 'UserRejectObservation':
      return { what: 'rejected', text: event.rejection_reason ?? '', failed: true };
    case 'AgentErrorEvent':
      return { what: 'error', text: event.error ?? '', failed: true };
    case 'ConversationErrorEvent':
    case 'ServerErrorEvent':
      return { what: 'error', text: [event.code, event.detail].filter(Boolean).join(': '), failed: true };
    case 'ACPToolCallEvent':
      return { what: 'tool', text: event.title ?? '' };
    case 'PauseEvent':
      return { what: 'paused', text: '' };
    case 'InterruptEvent':
      return { what: 'interrupted', text: '' };
    default:
      return undefined;
  }
}

export function readable(event: OpenhandsEvent, room: number): z.output<typeof eventOutput> | undefined {
  const found = read(event);
  return (
    found && {
      ...(event.id !== undefined && { id: event.id }),
      ...(event.timestamp && { time: event.timestamp.slice(0, 40) }),
      who: (event.source ?? 'environment').slice(0, 30),
      ...found,
      what: found.what.slice(0, 80),
      text: brief(found.text, room),
    }
  );
}

const joined = (content: readonly { readonly text?: string | null | undefined }[] | null | undefined): string =>
  (content ?? []).flatMap(({ text }) => (text ? [text] : [])).join('\n');

/** The command, or what else a tool was given. */
function done({ kind: _, ...given }: Readonly<Record<string, unknown>>): string {
  if (typeof given.command === 'string' && typeof given.path !== 'string') return `$ ${given.command}`;
  const words = [given.command, given.path].filter((one) => typeof one === 'string').join(' ');
  if (words !== '') return words;
  const text = JSON.stringify(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)));
  return text === '{}' ? '' : text;
}
