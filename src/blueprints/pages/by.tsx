import { session } from '../../console/client/session.ts';

/** Who did it. Lists have ids only; one's own name is known. */
export function By({ id }: { id: string }) {
  const who = session.value;
  return <bdi title={id}>{who?.principal === id ? (who.name ?? id) : id}</bdi>;
}
