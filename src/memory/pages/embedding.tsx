import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { count } from '../../console/client/ui/ago.tsx';

interface State {
  readonly stored_in: string;
  readonly model?: string;
  readonly to_embed?: number;
  readonly problem?: string;
}

/** Where memories are, and whether they are found by meaning. */
export function Embedding() {
  const { value } = useData<State>((signal) => get('api/v1/memory-state', signal), [], 15_000);
  if (!value) return <>What your assistants remember.</>;
  const { stored_in, model, to_embed, problem } = value;
  if (problem !== undefined || model === undefined) {
    return (
      <span class="warn">
        Found by words only, because meanings cannot be compared: <bdi>{problem ?? 'there is no model.'}</bdi>
      </span>
    );
  }
  return (
    <>
      Kept in {stored_in}. Found by words, and by meaning with <bdi>{model}</bdi>.
      {to_embed !== undefined && ` ${count(to_embed)} passages wait to be compared by meaning.`}
    </>
  );
}
