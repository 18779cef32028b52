import { useSignal } from '@preact/signals';
import { Failed, send } from '../../console/client/api.ts';
import { Modal } from '../../console/client/ui/dialog.tsx';
import { Choice, Field } from '../../console/client/ui/fields.tsx';
import { MadeKey, type NewlyMade } from './made-key.tsx';
import { known, listIn, type Preset, presets } from './presets.ts';
import { sentence } from './scope-list.tsx';

const lifetimes = [
  ['', 'never'],
  ['1d', 'in a day'],
  ['7d', 'in a week'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const;

const confirmations = [
  ['', 'what is destructive'],
  ['writes', 'everything that writes'],
  ['never', 'nothing'],
] as const;

/** Asks what a new key may do, and shows the key once. */
export function NewKey({ close, made }: { close: () => void; made: () => Promise<void> }) {
  const key = useSignal<NewlyMade | undefined>(undefined);
  if (key.value) {
    return (
      <Modal title="Copy this key now" close={close}>
        <MadeKey made={key.value} close={close} />
      </Modal>
    );
  }
  return (
    <Modal title="Make a key" close={close}>
      <Form
        done={(next) => {
          key.value = next;
          void made();
        }}
      />
    </Modal>
  );
}

function Form({ done }: { done: (made: NewlyMade) => void }) {
  const name = useSignal('');
  const preset = useSignal<Preset['id']>('use');
  const scopes = useSignal<ReadonlySet<string>>(new Set(['tools:read']));
  const ofSources = useSignal('');
  const expires = useSignal<(typeof lifetimes)[number][0]>('90d');
  const tools = useSignal('');
  const readOnly = useSignal(false);
  const confirm = useSignal<(typeof confirmations)[number][0]>('');
  const rate = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);

  function asked(): object {
    const chosen = presets.find(({ id }) => id === preset.value) as Preset;
    const globs = listIn(tools.value);
    return {
      name: name.value,
      scopes: chosen.id === 'own' ? [...scopes.value, ...listIn(ofSources.value)] : chosen.scopes,
      ...(expires.value !== '' && { expires: expires.value }),
      ...(globs.length > 0 && { tools: globs }),
      ...((readOnly.value || chosen.readOnly) && { readOnly: true }),
      ...(confirm.value !== '' && { confirm: confirm.value }),
      ...(rate.value.trim() !== '' && { rate: rate.value.trim() }),
    };
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    busy.value = true;
    problem.value = undefined;
    try {
      done(await send<NewlyMade>('POST', 'api/v1/keys', asked()));
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = error.message;
      busy.value = false;
    }
  }

  return (
    <form class="new-key" onSubmit={(event) => void submit(event)}>
      <Field label="Name" hint="Which program or person uses it, such as claude-laptop.">
        <input
          required
          maxLength={100}
          autocomplete="off"
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </Field>
      <fieldset>
        <legend>What it may do</legend>
        {presets.map(({ id, title, text }) => (
          <label key={id} class="option">
            <input type="radio" name="preset" checked={preset.value === id} onChange={() => (preset.value = id)} />
            <span>
              {title}
              {text !== '' && <small class="quiet">{text}</small>}
            </span>
          </label>
        ))}
        {preset.value === 'own' && (
          <Own scopes={scopes.value} choose={(next) => (scopes.value = next)} ofSources={ofSources} />
        )}
      </fieldset>
      <Choice
        label="It expires"
        value={expires.value}
        options={lifetimes}
        onChoose={(next) => (expires.value = next)}
      />
      <details>
        <summary>More limits</summary>
        <Field label="Only these tools" hint="Patterns of tool names, such as github__* n8n_get_*. Empty: all of them.">
          <input
            autocomplete="off"
            spellcheck={false}
            value={tools.value}
            onInput={(event) => (tools.value = event.currentTarget.value)}
          />
        </Field>
        <label class="option">
          <input
            type="checkbox"
            checked={readOnly.value || preset.value === 'look'}
            disabled={preset.value === 'look'}
            onChange={(event) => (readOnly.value = event.currentTarget.checked)}
          />
          <span>Only tools that change nothing</span>
        </label>
        <Choice
          label="A person confirms"
          value={confirm.value}
          options={confirmations}
          onChoose={(next) => (confirm.value = next)}
        />
        <Field label="Rate limit" hint="100/min, 5/s or 1000/h. Empty: the limit of the gateway.">
          <input autocomplete="off" value={rate.value} onInput={(event) => (rate.value = event.currentTarget.value)} />
        </Field>
      </details>
      {problem.value !== undefined && (
        <p class="warn" role="alert">
          <bdi>{problem.value}</bdi>
        </p>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={busy.value || name.value.trim() === ''}>
          {busy.value ? 'Making it …' : 'Make the key'}
        </button>
      </div>
    </form>
  );
}

interface OwnProps {
  readonly scopes: ReadonlySet<string>;
  readonly choose: (next: ReadonlySet<string>) => void;
  readonly ofSources: { value: string };
}

/** Scopes one by one. */
function Own({ scopes, choose, ofSources }: OwnProps) {
  return (
    <div class="own">
      {known.map((scope) => (
        <label key={scope} class="option">
          <input
            type="checkbox"
            checked={scopes.has(scope)}
            onChange={(event) =>
              choose(
                new Set([...scopes].filter((one) => one !== scope).concat(event.currentTarget.checked ? [scope] : [])),
              )
            }
          />
          <span>
            <code>{scope}</code>
            <small class="quiet">{sentence(scope)}</small>
          </span>
        </label>
      ))}
      <Field label="Scopes of single sources" hint="Such as n8n:read github:execute.">
        <input
          autocomplete="off"
          spellcheck={false}
          value={ofSources.value}
          onInput={(event) => (ofSources.value = event.currentTarget.value)}
        />
      </Field>
    </div>
  );
}
