import { useSignal } from '@preact/signals';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Action } from '../../console/client/ui/fields.tsx';

/** Connects an entity with another one. */
export function AddRelation({ name, reload }: { name: string; reload: () => Promise<void> }) {
  const type = useSignal('');
  const other = useSignal('');

  async function add(): Promise<void> {
    const relations = [{ from: name, type: type.value, to: other.value }];
    if (!(await callAsking('graph_create_relations', { relations }, { title: 'Connect them?', yes: 'Connect' })))
      return;
    [type.value, other.value] = ['', ''];
    await reload();
  }

  return (
    <div class="bar">
      <input
        type="text"
        aria-label="Type of the new relation"
        placeholder="works_at"
        value={type.value}
        onInput={(event) => (type.value = event.currentTarget.value)}
      />
      <input
        type="text"
        aria-label="To which entity"
        placeholder="Acme"
        value={other.value}
        onInput={(event) => (other.value = event.currentTarget.value)}
      />
      <Action run={add} disabled={type.value.trim() === '' || other.value.trim() === ''}>
        Add the relation
      </Action>
    </div>
  );
}
