import { useSignal } from '@preact/signals';
import { Failed } from '../../console/client/api.ts';
import { useQuery } from '../../console/client/data.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Modal } from '../../console/client/ui/dialog.tsx';
import { Field } from '../../console/client/ui/fields.tsx';
import { FormEnd } from '../../console/client/ui/form-end.tsx';
import { say } from '../../console/client/ui/notice.tsx';

/** Writes a new entity. */
export function AddEntity({ close }: { close: () => void }) {
  const [, change] = useQuery();
  const name = useSignal('');
  const type = useSignal('');
  const facts = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);

  async function save(): Promise<void> {
    const observations = facts.value.split('\n').flatMap((line) => line.trim() || []);
    busy.value = true;
    problem.value = undefined;
    try {
      const saved = await callAsking<{ entities: readonly unknown[] }>(
        'graph_create_entities',
        { entities: [{ name: name.value, type: type.value, observations }] },
        { title: 'Add this entity?', yes: 'Add it' },
      );
      if (saved) {
        close();
        if (saved.entities.length === 0) say('It was there already. It has the new facts.');
        change({ entity: name.value.trim(), q: undefined, as_of: undefined }, true);
      }
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = error.message;
    }
    busy.value = false;
  }

  return (
    <Modal title="Add an entity" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name" hint="Unique in the graph">
          <input required value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        <Field label="Type" hint="For example person, project, company">
          <input required value={type.value} onInput={(event) => (type.value = event.currentTarget.value)} />
        </Field>
        <Field label="What is known" hint="One fact a line">
          <textarea rows={4} value={facts.value} onInput={(event) => (facts.value = event.currentTarget.value)} />
        </Field>
        <FormEnd problem={problem.value} disabled={busy.value} close={close}>
          {busy.value ? 'Adding …' : 'Add'}
        </FormEnd>
      </form>
    </Modal>
  );
}
