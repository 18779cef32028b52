import { keyNames } from '../key-names.ts';

/** Who called: the name of a key if it is known, with its id on hover; else the id. */
export function Caller({ id }: { id: string }) {
  const name = keyNames.value.get(id);
  return name === undefined ? <bdi>{id}</bdi> : <bdi title={id}>{name}</bdi>;
}
