import { createSseReader, type SseEvent } from '../wire/sse.ts';
import { AppError } from '../kernel/errors.ts';

const MOST_CHARACTERS = 4_000_000;

/** The events of a stream of text/event-stream, as they arrive. */
export async function* serverEvents(body: AsyncIterable<Buffer>): AsyncGenerator<SseEvent> {
  let events: SseEvent[] = [];
  let tooLong = false;
  const read = createSseReader({
    limit: MOST_CHARACTERS,
    // What follows an event that was dropped would be misread without it.
    onEvent: (event) => void (tooLong || events.push(event)),
    onTooLong() {
      tooLong = true;
    },
  });
  for await (const chunk of body) {
    read(chunk);
    yield* events;
    events = [];
    if (tooLong) throw new AppError('too_large', 'The service sent an event of more than 4 MB. Ask for less.');
  }
}
