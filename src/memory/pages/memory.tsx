import type { PageProps } from '../../console/client/pages.ts';
import { List } from './list.tsx';
import { OneMemory } from './one.tsx';

/** What assistants remember: all of it, or one memory. */
export default function Memory({ rest: [id] }: PageProps) {
  return id === undefined ? <List /> : <OneMemory key={id} id={id} />;
}
