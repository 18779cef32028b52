import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { count } from '../../console/client/ui/ago.tsx';

interface State {
  readonly stored_in: string;
  readonly model?: string;
  readonly to_embed?: number;
  readonly problem?: string;
}

/** Where memories are, and whether they are found by meaning. Without `always` only if there is something to know. */
export function Embedding({ always }: { always: boolean }) {
  const { value } = useData<State>((signal) => get('api/v1/memory-state', signal), [], 30_000);
  if (!value) return null;
  const { stored_in, model, to_embed = 0, problem } = value;
  if (problem !== undefined || model === undefined) {
    return (
      <p class="banner">
        Memories are found by words only: <bdi>{problem ?? 'there is no model that compares meanings.'}</bdi>
      </p>
    );
  }
  const waiting = to_embed > 0 && `${count(to_embed)} passages are not compared by meaning yet: words find them.`;
  if (!always) return waiting ? <p class="quiet">{waiting}</p> : null;
  return (
    <p>
      Kept in {stored_in}. Found by words, and by meaning with the model <bdi>{model}</bdi>. {waiting}
    </p>
  );
}
