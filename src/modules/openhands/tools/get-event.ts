import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { textPart } from '../../text-part.ts';
import { event as eventAnswer } from '../answers.ts';
import { findConversation } from '../conversations.ts';
import { read } from '../readable.ts';
import { conversationInput, offsetInput, openhandsTool } from '../tool.ts';

export const getEventTool = openhandsTool({
  name: 'openhands_get_event',
  title: 'Show an event',
  description: 'Shows the whole text of an event, part by part: a long output or message.',
  phrases: 'whole output of the command; read a long openhands message; rest of this event',
  effect: 'read',
  input: z.strictObject({
    id: conversationInput,
    event: z.string().min(1).max(200).describe('Id from openhands_list_events'),
    offset: offsetInput,
  }),
  output: z.object({
    event: z.string(),
    what: z.string(),
    text: z.string(),
    characters: z.int().optional(),
    next_offset: z.int().optional(),
  }),
  async run({ id: given, event, offset }, openhands, { signal }) {
    const { id } = await findConversation(openhands, given, signal);
    const path = ['conversation', id, 'events'];
    const [found] = await openhands.ask(z.array(eventAnswer.nullable()), path, { query: { id: event }, signal });
    const said = found && read(found);
    if (!said)
      throw new AppError('not_found', `The conversation has no such event. openhands_list_events shows its events.`);
    return { event, what: said.what.slice(0, 80), ...textPart(said.text, offset) };
  },
});
