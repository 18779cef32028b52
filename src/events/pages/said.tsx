import { Caller } from '../../console/client/ui/caller.tsx';
import type { Event } from './event.ts';
import { type Part, sentenceOf } from './sentence.ts';

/** An event in words. */
export const Said = ({ event }: { event: Event }) => <Words parts={sentenceOf(event)} />;

/** A sentence. What comes from outside is set apart from our own words. */
export function Words({ parts }: { parts: readonly Part[] }) {
  return <>{parts.map((part, index) => (typeof part === 'string' ? part : <Caller key={index} id={part.given} />))}</>;
}
