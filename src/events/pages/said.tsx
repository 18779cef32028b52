import type { Event } from './event.ts';
import { sentenceOf } from './sentence.ts';

/** An event in words. What comes from outside is set apart from our own words. */
export function Said({ event }: { event: Event }) {
  return (
    <>
      {sentenceOf(event).map((part, index) => (typeof part === 'string' ? part : <bdi key={index}>{part.given}</bdi>))}
    </>
  );
}
