import { AppError } from '../../kernel/errors.ts';
import { serverEvents } from '../server-events.ts';
import { type Chunk, chunkReply, type Failure, type Usage } from './replies.ts';

/** An answer, as far as it has arrived. */
export interface Completion {
  text: string;
  id?: string;
  model?: string;
  provider?: string;
  finish?: string;
  usage?: Usage;
  /** What went wrong while the model wrote. */
  failure?: Failure;
  /** Whether the stream ended as it should. */
  isWhole: boolean;
}

/** No model writes more; a server that never stops might. */
const MOST_CHARACTERS = 2_000_000;

export const emptyCompletion = (): Completion => ({ text: '', isWhole: false });

/** Adds the events of a stream to `so`, which stays what it is if the stream breaks. */
export async function readStream(
  body: AsyncIterable<Buffer>,
  so: Completion,
  grown: (text: string) => void,
): Promise<void> {
  for await (const { data } of serverEvents(body)) {
    if (data === '[DONE]') {
      so.isWhole = true;
      return;
    }
    add(so, data);
    grown(so.text);
    if (so.failure) return;
    if (so.text.length > MOST_CHARACTERS)
      throw new AppError('too_large', 'The answer has more than 2 million characters, and was stopped.');
  }
  // Some servers leave out the mark at the end.
  so.isWhole = so.finish !== undefined && so.usage !== undefined;
}

/** The same for a server that does not stream. */
export function readWhole(body: string, so: Completion): void {
  add(so, body);
  so.isWhole = so.failure === undefined && so.finish !== undefined;
}

function add(so: Completion, json: string): void {
  const chunk = parsed(json);
  const [choice] = chunk.choices ?? [];
  const { content, refusal } = choice?.delta ?? choice?.message ?? {};
  so.text += content ?? refusal ?? '';
  if (so.id === undefined && chunk.id) so.id = chunk.id;
  if (chunk.model) so.model = chunk.model;
  if (chunk.provider) so.provider = chunk.provider;
  if (choice?.finish_reason !== undefined) so.finish = choice.finish_reason;
  if (chunk.usage) so.usage = chunk.usage;
  if (chunk.error) so.failure = chunk.error;
}

function parsed(json: string): Chunk {
  try {
    return chunkReply.parse(JSON.parse(json));
  } catch (error) {
    throw new AppError('unavailable', 'The answer is not what OpenRouter documents.', { cause: error });
  }
}
