import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { Failed } from '../../console/client/api.ts';
import { linkTo } from '../../console/client/pages.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Modal } from '../../console/client/ui/dialog.tsx';
import { Field } from '../../console/client/ui/fields.tsx';
import { FormEnd } from '../../console/client/ui/form-end.tsx';
import { localTime } from '../../console/client/ui/as-of.ts';
import { say } from '../../console/client/ui/notice.tsx';
import { objectIn } from '../../console/client/ui/object-in.ts';
import type { Near, Whole } from './shapes.ts';
import { tagsIn } from './words.ts';

interface EditorProps {
  /** The memory that gets a new version; without one, a new memory. */
  readonly memory?: Whole;
  readonly namespace?: string | undefined;
  readonly close: () => void;
}

/** Writes a memory, or a new version of one. */
export function Editor({ memory, namespace = '', close }: EditorProps) {
  const { route } = useLocation();
  const before = {
    text: memory?.text ?? '',
    tags: memory?.tags?.join(', ') ?? '',
    metadata: memory?.metadata ? JSON.stringify(memory.metadata, null, 2) : '',
    // What has ended is history: a new text is true from now on.
    until: isAhead(memory?.valid_to) ? localTime(memory?.valid_to) : '',
  };
  const text = useSignal(before.text);
  const tags = useSignal(before.tags);
  const metadata = useSignal(before.metadata);
  const where = useSignal(namespace);
  const since = useSignal('');
  const until = useSignal(before.until);
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const json = objectIn(metadata.value);

  async function save(): Promise<void> {
    if ('problem' in json) return;
    const isNew = text.value !== before.text;
    if (before.until !== '' && until.value === '' && !isNew) {
      problem.value = 'The end can be moved. To take it away, change the text, too.';
      return;
    }
    const start = timeIn(since.value);
    // To the second, if nobody has changed it.
    const kept = isNew && before.until !== '' ? memory?.valid_to : undefined;
    const end = until.value === before.until ? kept : timeIn(until.value);
    const given = {
      ...(isNew && { text: text.value }),
      ...(tags.value !== before.tags && { tags: tagsIn(tags.value) }),
      ...(metadata.value !== before.metadata && { metadata: json.value }),
      ...(start !== undefined && { valid_from: start }),
      ...(end !== undefined && { valid_to: end }),
    };
    const [tool, args] = memory
      ? ['memory_update', { id: memory.id, ...given }]
      : ['memory_store', { ...given, ...(where.value.trim() !== '' && { namespace: where.value.trim() }) }];
    busy.value = true;
    problem.value = undefined;
    try {
      const saved = await callAsking<Near & { id: string }>(tool as string, args as object, {
        title: memory ? 'Save a new version?' : 'Add this memory?',
        yes: 'Save',
      });
      if (saved) {
        close();
        say(toldOf(saved, memory !== undefined));
        route(new URL(linkTo('memory', [saved.id]), document.baseURI).pathname, memory !== undefined);
      }
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = error.message;
    }
    busy.value = false;
  }

  return (
    <Modal title={memory ? 'Edit the memory' : 'Add a memory'} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {memory && <p class="quiet">The old version stays, with the time at which it ended.</p>}
        <Field label="Text" hint="In words that can be understood later">
          <textarea
            rows={8}
            required
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </Field>
        {!memory && (
          <Field label="Namespace" hint="Empty for your default; a new name makes a new one">
            <input value={where.value} onInput={(event) => (where.value = event.currentTarget.value)} />
          </Field>
        )}
        <Field label="Tags" hint="Separated by commas">
          <input value={tags.value} onInput={(event) => (tags.value = event.currentTarget.value)} />
        </Field>
        <Field label="Metadata" hint="A JSON object, or nothing" problem={'problem' in json ? json.problem : undefined}>
          <textarea rows={3} value={metadata.value} onInput={(event) => (metadata.value = event.currentTarget.value)} />
        </Field>
        <Field
          label="True since"
          hint={memory ? 'Empty: from now on if it says something new, else unchanged' : 'Empty: from now on'}
        >
          <input
            type="datetime-local"
            value={since.value}
            onInput={(event) => (since.value = event.currentTarget.value)}
          />
        </Field>
        <Field label="True until" hint="Empty if it has no end">
          <input
            type="datetime-local"
            value={until.value}
            onInput={(event) => (until.value = event.currentTarget.value)}
          />
        </Field>
        <FormEnd problem={problem.value} disabled={busy.value || 'problem' in json} close={close}>
          {busy.value ? 'Saving …' : memory ? 'Save a new version' : 'Remember'}
        </FormEnd>
      </form>
    </Modal>
  );
}

const timeIn = (local: string): string | undefined => (local === '' ? undefined : new Date(local).toISOString());

const isAhead = (time: string | undefined): boolean => time !== undefined && Date.parse(time) > Date.now();

function toldOf({ duplicate_of, contradicts = [] }: Near, isUpdate: boolean): string {
  const done = isUpdate ? 'The new version is saved.' : 'It is remembered.';
  if (contradicts.length > 0) return `${done} Another memory says something else: see below.`;
  return duplicate_of === undefined ? done : `${done} Another memory says the same.`;
}
