import { createSseReader, type SseEvent } from '../wire/sse.ts';
import { AppError } from '../kernel/errors.ts';

const MOST_CHARACTERS = 4_000_000;

/** The events of a stream of text/event-stream, as they arrive. */
export async function* serverEvents(body: AsyncIterable<Buffer>): AsyncGenerator<SseEvent> {
  let events: SseEvent[] = [];
  const read = createSseReader({
    limit: MOST_CHARACTERS,
    onEvent: (event) => void events.push(event),
    onTooLong() {
      throw new AppError('too_large', 'The service sent an event of more than 4 MB. Ask for less.');
    },
  });
  for await (const chunk of body) {
    read(chunk);
    yield* events;
    events = [];
  }
}
