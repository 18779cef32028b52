import { useSignal } from '@preact/signals';
import { call, Failed } from '../../../console/client/api.ts';
import { useData } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { Field } from '../../../console/client/ui/fields.tsx';
import { FormEnd } from '../../../console/client/ui/form-end.tsx';
import { Modal } from '../../../console/client/ui/dialog.tsx';
import { Loaded } from '../../../console/client/ui/page.tsx';
import { brief } from './schema/json.ts';

interface Recent {
  readonly calls: readonly {
    readonly call: number;
    readonly tool: string;
    readonly arguments?: string;
    readonly failed?: string;
    readonly note?: string;
  }[];
}

interface Saved {
  readonly name: string;
  readonly text: string;
  readonly inputs: readonly string[];
}

/** Saves the last calls as a recipe: which ones, under which name, and what to ask for at each run. */
export function SaveRecipe({ close }: { close: () => void }) {
  const recent = useData<Recent>((signal) => call('recipe_recent', {}, { signal }));
  const chosen = useSignal<ReadonlySet<number> | undefined>(undefined);
  const name = useSignal('');
  const inputs = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const saved = useSignal<Saved | undefined>(undefined);
  const busy = useSignal(false);
  const usable = recent.value?.calls.filter(
    ({ failed, arguments: given }) => failed === undefined && given !== undefined,
  );
  const first = usable?.[0]?.call;
  const picked = chosen.value ?? new Set(first === undefined ? [] : [first]);

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    busy.value = true;
    problem.value = undefined;
    const asked = inputs.value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
    try {
      saved.value = await call<Saved>('recipe_save', {
        name: name.value.trim(),
        last: [...picked].toSorted((a, b) => a - b),
        ...(asked.length > 0 && { inputs: asked }),
      });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = error.message;
    }
    busy.value = false;
  }

  if (saved.value) {
    return (
      <Modal title="The recipe is saved" close={close}>
        <p>
          <a href={linkTo('blueprints')}>
            <bdi>{saved.value.name}</bdi>
          </a>{' '}
          runs these steps again{saved.value.inputs.length > 0 && ', and asks for '}
          <bdi>{saved.value.inputs.join(', ')}</bdi>. Check that no secret is in it:
        </p>
        <pre tabIndex={0}>
          <bdi>{saved.value.text}</bdi>
        </pre>
      </Modal>
    );
  }
  return (
    <Modal title="Save as a recipe" close={close}>
      <form class="recipe" onSubmit={(event) => void save(event)}>
        <p>A recipe repeats calls that you made, later and with other values.</p>
        <Field label="Name" hint="Lower-case letters, digits and hyphens: onboard-team">
          <input
            type="text"
            required
            pattern="[a-z][a-z0-9\-]*"
            maxLength={63}
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </Field>
        <Loaded data={recent} waiting="Asking the gateway for your last calls …">
          {({ calls }) => (
            <fieldset>
              <legend>Your last calls, the newest first</legend>
              {calls.map((one) => {
                const isUsable = one.failed === undefined && one.arguments !== undefined;
                return (
                  <label key={one.call} class="recent">
                    <input
                      type="checkbox"
                      disabled={!isUsable}
                      checked={picked.has(one.call)}
                      onChange={({ currentTarget: { checked } }) => {
                        const next = new Set(picked);
                        if (checked) next.add(one.call);
                        else next.delete(one.call);
                        chosen.value = next;
                      }}
                    />
                    <span>
                      <code>
                        <bdi>{one.tool}</bdi>
                      </code>{' '}
                      <span class="quiet">
                        <bdi>{brief(one.arguments ?? '', 120)}</bdi>{' '}
                        {one.failed !== undefined && `failed: ${one.failed}`} {one.note}
                      </span>
                    </span>
                  </label>
                );
              })}
              {calls.length === 0 && (
                <p class="quiet">Sluice has kept none of your calls: calls about Sluice itself are left out.</p>
              )}
            </fieldset>
          )}
        </Loaded>
        <Field label="Ask for" hint="Names of arguments that are asked for at each run, separated by commas">
          <input type="text" value={inputs.value} onInput={(event) => (inputs.value = event.currentTarget.value)} />
        </Field>
        <FormEnd problem={problem.value} disabled={busy.value || picked.size === 0} close={close}>
          {busy.value ? 'Saving …' : 'Save'}
        </FormEnd>
      </form>
    </Modal>
  );
}
