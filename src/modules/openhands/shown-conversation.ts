import { z } from 'zod';
import { brief } from '../text-part.ts';
import type { Conversation } from './answers.ts';
import { stateOf } from './state.ts';

export const conversationOutput = z.object({
  id: z.string(),
  title: z.string().optional(),
  state: z.string(),
  repository: z.string().optional(),
  branch: z.string().optional(),
  model: z.string().optional(),
  cost: z.number().optional().describe('In dollars'),
  created: z.string().optional(),
  updated: z.string().optional(),
});

export const shownConversation = (one: Conversation): z.output<typeof conversationOutput> => ({
  id: one.id,
  ...(one.title && { title: brief(one.title, 300) }),
  state: stateOf(one),
  ...(one.selected_repository && { repository: brief(one.selected_repository, 200) }),
  ...(one.selected_branch && { branch: brief(one.selected_branch, 200) }),
  ...(one.llm_model && { model: brief(one.llm_model, 120) }),
  ...(typeof one.metrics?.accumulated_cost === 'number' && {
    cost: Math.round(one.metrics.accumulated_cost * 10_000) / 10_000,
  }),
  ...(one.created_at && { created: one.created_at.slice(0, 40) }),
  ...(one.updated_at && { updated: one.updated_at.slice(0, 40) }),
});
