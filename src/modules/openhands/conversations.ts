import { AppError } from '../../kernel/errors.ts';
import { type Conversation, conversationPage, someConversations } from './answers.ts';
import type { OpenHands } from './connection.ts';
import { isBusy, stateOf } from './state.ts';

/** With a list of repositories, what has none is not on it. */
export const isAllowed = ({ repositories, isLimited }: OpenHands, { selected_repository }: Conversation): boolean =>
  selected_repository ? repositories.has(selected_repository) : !isLimited;

/** The conversation of a call, if it may be used. */
export async function findConversation(openhands: OpenHands, id: string, signal: AbortSignal): Promise<Conversation> {
  const [found] = await openhands.ask(someConversations, ['app-conversations'], { query: { ids: id }, signal });
  if (!found)
    throw new AppError('not_found', `There is no conversation ${id}. openhands_list_conversations shows them.`);
  if (isAllowed(openhands, found)) return found;
  if (found.selected_repository) openhands.repositories.need(found.selected_repository);
  throw new AppError(
    'forbidden',
    `The conversation ${id} has no repository, and ${openhands.setting}.repositories in sluice.yaml limits what may be used.`,
  );
}

const MOST_PAGES = 5;

/** Those that work now, of all that the key may see: they share the machine, or the bill. */
export async function busyConversations(openhands: OpenHands, signal: AbortSignal): Promise<readonly Conversation[]> {
  const busy: Conversation[] = [];
  let page_id: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { limit: 100, page_id };
    const found = await openhands.ask(conversationPage, ['app-conversations', 'search'], { query, signal });
    busy.push(...found.items.filter((one) => isBusy(stateOf(one))));
    page_id = found.next_page_id ?? undefined;
    if (page_id === undefined) break;
  }
  return busy;
}

/**
 * Takes a place for one more conversation, if there is one; the caller gives it back when the server counts it by itself.
 * `id` is a conversation that is not counted: it has its place.
 */
export async function takePlace(openhands: OpenHands, signal: AbortSignal, id?: string): Promise<Disposable> {
  const { at, setting, concurrency, starts } = openhands;
  return await starts.counting.run(async () => {
    const busy = (await busyConversations(openhands, signal)).filter((one) => one.id !== id);
    const count = busy.length + starts.pending;
    if (count >= concurrency) {
      const names = busy.filter((one) => isAllowed(openhands, one)).map((one) => one.id);
      throw new AppError(
        'rate_limited',
        `${count} conversations of ${at} are starting or working, and ${setting}.concurrency in sluice.yaml allows ${concurrency}. Nothing was started. Wait for one with openhands_wait, or stop one${names.length > 0 ? `: ${names.slice(0, 5).join(', ')}` : ''}.`,
        { saysWhen: true },
      );
    }
    starts.pending += 1;
    return {
      [Symbol.dispose]() {
        starts.pending -= 1;
      },
    };
  }, signal);
}
