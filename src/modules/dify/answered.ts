import { z } from 'zod';
import { brief, roomBesides, textPart } from '../text-part.ts';
import type { Answers } from './kept.ts';
import type { Followed } from './follow.ts';

/** What chats and completions answer with. */
export const answerOutput = z.object({
  answer: z.string(),
  characters: z.int().optional().describe('Of the whole answer, if this is a part'),
  next_offset: z.int().optional().describe('dify_get_message shows the rest'),
  message_id: z.string().optional(),
  conversation_id: z.string().optional().describe('To go on with this conversation'),
  run_id: z.string().optional(),
  tools: z.array(z.string()).optional().describe('That the agent used'),
  files: z.array(z.string()).optional().describe('URLs'),
  sources: z.array(z.string()).optional().describe('Documents of the knowledge that it used'),
  tokens: z.number().optional(),
  price: z.string().optional(),
  seconds: z.number().optional(),
  waits_for: z.string().optional().describe('It goes on when a person has answered in Dify'),
});

const FEW = 8;
const FEW_FILES = 3;

export function answered(followed: Followed, answers: Answers): z.output<typeof answerOutput> {
  const { answer, message_id, conversation_id, run_id, tools, files, metadata, waitsFor } = followed;
  const { usage, retriever_resources } = metadata ?? {};
  const sources = new Set((retriever_resources ?? []).map(({ document_name }) => brief(document_name ?? '', 120)));
  const price = [usage?.total_price, usage?.currency].filter(Boolean).join(' ').slice(0, 50);
  const about = {
    message_id,
    conversation_id,
    run_id,
    ...(tools.length > 0 && { tools: tools.slice(0, FEW) }),
    ...(files.length > 0 && { files: files.slice(0, FEW_FILES) }),
    ...(sources.size > 0 && { sources: [...sources].slice(0, FEW) }),
    ...(typeof usage?.total_tokens === 'number' && { tokens: usage.total_tokens }),
    ...(price !== '' && { price }),
    ...(typeof usage?.latency === 'number' && { seconds: Math.round(usage.latency * 100) / 100 }),
    ...(waitsFor !== undefined && { waits_for: brief(waitsFor, 600) }),
  };
  const { text, ...rest } = textPart(answer, 0, roomBesides(about));
  if (message_id !== undefined && rest.next_offset !== undefined) answers.keep(message_id, answer);
  return { answer: text, ...rest, ...about };
}
