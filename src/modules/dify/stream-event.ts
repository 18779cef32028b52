import { z } from 'zod';
import { map, number, text } from './lenient.ts';

const usage = z.object({ total_tokens: number, total_price: text, currency: text, latency: number });
const source = z.object({ dataset_name: text, document_name: text, score: number });

/** An event of a stream of Dify: of every kind, the fields that matter here. */
export const streamEvent = z.object({
  event: z.string(),
  task_id: text,
  message_id: text,
  conversation_id: text,
  workflow_run_id: text,
  /** Of message, agent_message and message_replace. */
  answer: text,
  /** Of agent_thought. */
  tool: text,
  /** Of message_file. */
  url: text,
  metadata: z
    .object({
      usage: usage.nullish().catch(undefined),
      retriever_resources: z.array(source).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  /** Of workflows and their nodes. */
  data: map.nullish().catch(undefined),
  /** Of error. */
  status: number,
  code: text,
  message: text,
});

export type StreamEvent = z.output<typeof streamEvent>;
export type Metadata = NonNullable<StreamEvent['metadata']>;

/** `data` of node_started and node_finished. */
export const nodeData = z.object({ title: text, node_type: text, status: text, error: text, elapsed_time: number });

/** `data` of workflow_finished. */
export const finishedData = z.object({
  id: text,
  status: text,
  outputs: map.nullish().catch(undefined),
  error: text,
  elapsed_time: number,
  total_tokens: number,
  total_steps: number,
});

/** `data` of human_input_required. */
export const humanData = z.object({ node_title: text, form_content: text });
