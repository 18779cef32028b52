import { useSignal } from '@preact/signals';
import { Failed } from '../../console/client/api.ts';
import { useQuery } from '../../console/client/data.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Modal } from '../../console/client/ui/dialog.tsx';
import { Field } from '../../console/client/ui/fields.tsx';
import { FormEnd } from '../../console/client/ui/form-end.tsx';
import { objectIn } from '../../console/client/ui/object-in.ts';
import { changeOf } from './change-of.ts';
import type { Entity } from './shapes.ts';

interface EditProps {
  readonly entity: Entity;
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}

/** Renames an entity, or changes its type and properties. */
export function EditEntity({ entity, reload, close }: EditProps) {
  const [, change] = useQuery();
  const before = JSON.stringify(entity.properties, null, 2);
  const name = useSignal(entity.name);
  const type = useSignal(entity.type);
  const properties = useSignal(before);
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const json = objectIn(properties.value);

  async function save(): Promise<void> {
    if ('problem' in json) return;
    const next = name.value.trim();
    const given = {
      ...(next !== entity.name && { new_name: next }),
      ...(type.value.trim() !== entity.type && { type: type.value }),
      ...(properties.value !== before && { properties: changeOf(entity.properties, json.value) }),
    };
    if (Object.keys(given).length === 0) return close();
    problem.value = undefined;
    busy.value = true;
    try {
      const asking = { title: 'Change this entity?', yes: 'Change it' };
      if (!(await callAsking('graph_update_entity', { name: entity.name, ...given }, asking))) return;
      close();
      if (next === entity.name) await reload();
      else change({ entity: next });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = error.message;
    } finally {
      busy.value = false;
    }
  }

  return (
    <Modal title="Edit the entity" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name">
          <input required value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        <Field label="Type">
          <input required value={type.value} onInput={(event) => (type.value = event.currentTarget.value)} />
        </Field>
        <Field label="Properties" hint="A JSON object" problem={'problem' in json ? json.problem : undefined}>
          <textarea
            rows={8}
            value={properties.value}
            onInput={(event) => (properties.value = event.currentTarget.value)}
          />
        </Field>
        <FormEnd problem={problem.value} disabled={busy.value || 'problem' in json} close={close}>
          {busy.value ? 'Saving …' : 'Save'}
        </FormEnd>
      </form>
    </Modal>
  );
}
