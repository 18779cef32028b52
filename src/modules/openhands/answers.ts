import { z } from 'zod';

/** Answers of OpenHands, with what is used of them. Keys of sandboxes stay out. */

const orNothing = <T extends z.ZodType>(type: T) => type.nullish().catch(undefined);
const text = orNothing(z.string());

export const conversation = z.object({
  id: z.string(),
  title: text,
  selected_repository: text,
  selected_branch: text,
  llm_model: text,
  sandbox_id: text,
  sandbox_status: text,
  execution_status: text,
  created_at: text,
  updated_at: text,
  metrics: orNothing(z.object({ accumulated_cost: orNothing(z.number()) })),
});

export type Conversation = z.output<typeof conversation>;

export const conversationPage = z.object({ items: z.array(conversation), next_page_id: text });

export const someConversations = z.array(conversation.nullable());

export const startTask = z.object({ id: z.string(), status: text, detail: text, app_conversation_id: text });

export const startTasks = z.array(startTask.nullable());

const content = orNothing(z.array(z.object({ type: text, text })));

/** An event of the agent, of every kind: the fields that matter here. */
export const event = z.object({
  id: z.string().optional(),
  kind: z.string(),
  timestamp: text,
  source: text,
  /** Of MessageEvent. */
  llm_message: orNothing(z.object({ role: text, content })),
  /** Of ActionEvent. */
  thought: content,
  summary: text,
  action: orNothing(z.record(z.string(), z.unknown())),
  /** Of actions, observations and errors of tools. */
  tool_name: text,
  observation: orNothing(
    z.object({
      content: orNothing(z.union([z.string(), z.array(z.object({ type: text, text }))])),
      is_error: orNothing(z.boolean()),
      exit_code: orNothing(z.number()),
    }),
  ),
  error: text,
  rejection_reason: text,
  code: text,
  detail: text,
  title: text,
});

export type OpenhandsEvent = z.output<typeof event>;

export const eventPage = z.object({ items: z.array(event), next_page_id: text });

export const changes = z.array(z.object({ status: z.string(), path: z.string() }));

export const diff = z.object({ original: text, modified: text });
