import { AppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import { sentence } from './explain.ts';
import { finishedData, humanData, type Metadata, nodeData, type StreamEvent } from './stream-event.ts';

/** What a chat, a completion or a run of a workflow has come to. */
export interface Followed {
  readonly answer: string;
  readonly message_id?: string | undefined;
  readonly conversation_id?: string | undefined;
  readonly run_id?: string | undefined;
  /** Tools that an agent used, in order. */
  readonly tools: readonly string[];
  /** URLs of files that it made. */
  readonly files: readonly string[];
  readonly metadata?: Metadata | undefined;
  readonly finished?: ReturnType<typeof finishedData.parse>;
  /** It waits for a person. */
  readonly waitsFor?: string | undefined;
}

const MOST_CHARACTERS = 2_000_000;
const MOST_NAMED = 20;
/** How often the growth of an answer is told. */
const TELL_MS = 1000;

/**
 * Reads the events of a stream until its end, and tells how far it is. Throws if it ends early, and if the workflow failed:
 * then with the node that did.
 */
export async function follow(
  events: AsyncIterable<StreamEvent>,
  { at, progress }: { readonly at: string; readonly progress: Progress },
): Promise<Followed> {
  let answer = '';
  let isFromAgent = false;
  let ended = false;
  let message_id: string | undefined;
  let conversation_id: string | undefined;
  let run_id: string | undefined;
  let metadata: Metadata | undefined;
  let finished: Followed['finished'];
  let failure: string | undefined;
  let waitsFor: string | undefined;
  let hasBegun = false;
  let told = 0;
  let steps = 0;
  const tools: string[] = [];
  const files: string[] = [];
  const tell = (message: string) => progress((steps += 1), undefined, message);

  function take(event: StreamEvent): void {
    message_id = event.message_id ?? message_id;
    conversation_id = event.conversation_id ?? conversation_id;
    run_id = event.workflow_run_id ?? run_id;
    const data = event.data ?? {};
    switch (event.event) {
      case 'message':
      case 'agent_message': {
        const isAgent = event.event === 'agent_message';
        // The newer agents repeat the whole answer in one message at their end.
        answer = isFromAgent && !isAgent ? (event.answer ?? '') : answer + (event.answer ?? '');
        isFromAgent ||= isAgent;
        if (answer.length > MOST_CHARACTERS)
          throw new AppError(
            'too_large',
            'The answer has more than 2 million characters, and was stopped. Ask for less.',
          );
        if (Date.now() - told < TELL_MS) return;
        told = Date.now();
        return tell(`${answer.length} characters so far`);
      }
      case 'message_replace':
        answer = event.answer ?? '';
        return;
      case 'agent_thought':
        if (!event.tool) return;
        if (tools.length < MOST_NAMED) tools.push(event.tool.slice(0, 100));
        return tell(`Uses ${event.tool.slice(0, 100)}`);
      case 'message_file':
        if (event.url && files.length < MOST_NAMED) files.push(event.url.slice(0, 500));
        return;
      case 'message_end':
        ended = true;
        metadata = event.metadata ?? undefined;
        return;
      case 'workflow_started':
        return tell('The workflow runs');
      case 'node_started':
        return tell(`${nameOf(data)} runs`);
      case 'node_finished': {
        const node = nodeData.parse(data);
        if (node.status === 'failed') failure = `${nameOf(data)} failed: ${sentence(node.error ?? '')}`;
        return tell(`${nameOf(data)} ${node.status ?? 'finished'}`);
      }
      case 'human_input_required': {
        const { node_title, form_content } = humanData.parse(data);
        waitsFor = [node_title, form_content].filter(Boolean).join(': ').slice(0, 500);
        return;
      }
      case 'workflow_paused':
        ended = true;
        waitsFor ??= 'a person';
        return;
      case 'workflow_finished':
        ended = true;
        finished = finishedData.parse(data);
    }
  }

  const failed = () =>
    new AppError(
      'conflict',
      `The workflow failed. ${failure ?? sentence(finished?.error ?? '')}${run_id === undefined ? '' : ` Its run is ${run_id}.`} dify_get_app shows the inputs that it takes; the rest is corrected in Dify.`,
    );
  try {
    for await (const event of events) {
      hasBegun = true;
      take(event);
    }
  } catch (error) {
    // A chat tells the same once more as an error.
    if (finished?.status === 'failed') throw failed();
    // Before the first event, the service was not reached.
    if (error instanceof AppError || !hasBegun) throw error;
    throw broken(error);
  }
  if (finished?.status === 'failed') throw failed();
  if (!ended) throw broken();
  return { answer, message_id, conversation_id, run_id, tools, files, metadata, finished, waitsFor };

  function broken(cause?: unknown): AppError {
    const where =
      run_id !== undefined
        ? ` dify_get_run with the id ${run_id} shows what became of it.`
        : conversation_id !== undefined
          ? ` dify_list_messages with the conversation_id ${conversation_id} shows what was saved.`
          : '';
    return new AppError('unavailable', `${at} broke off before the end.${where}`, { cause });
  }
}

const nameOf = (data: Readonly<Record<string, unknown>>): string => {
  const { title, node_type } = nodeData.parse(data);
  return (title || node_type || 'A node').slice(0, 100);
};
