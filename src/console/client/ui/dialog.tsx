import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A window over the page. The browser keeps the focus inside and closes it with Esc. */
export function Modal({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** Whether the mouse was pressed beside it: who selects text may let go there. */
  const isOutside = useRef(false);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={close}
      onPointerDown={(event) => (isOutside.current = event.target === dialog.current)}
      onClick={(event) => isOutside.current && event.target === dialog.current && close()}
    >
      <div class="sheet">
        <header class="head">
          <h2>{title}</h2>
          <button type="button" class="plain" onClick={close}>
            Close
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

export interface Question {
  readonly title: string;
  readonly text: ComponentChildren;
  /** What the button says that does it. */
  readonly yes: string;
  readonly danger?: boolean;
  /** Asks for a text, such as a note or a reason. */
  readonly note?: { readonly label: string; readonly required?: boolean };
}

const open = signal<{ question: Question; answer: (given: string | undefined) => void } | undefined>(undefined);

/** Asks a person. Undefined if they do not want it, else their note, which may be empty. */
export function confirmed(question: Question): Promise<string | undefined> {
  open.value?.answer(undefined);
  return new Promise((answer) => {
    open.value = { question, answer };
  });
}

/** Where questions appear; the frame has it once. */
export function Dialogs() {
  const asked = open.value;
  return asked ? <Asked key={asked.question.title} {...asked} /> : null;
}

function Asked({ question, answer }: NonNullable<typeof open.value>) {
  const note = useSignal('');
  const end = (given: string | undefined) => {
    open.value = undefined;
    answer(given);
  };
  return (
    <Modal title={question.title} close={() => end(undefined)}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          end(note.value);
        }}
      >
        <div class="text">{question.text}</div>
        {question.note && (
          <label class="field">
            <span>{question.note.label}</span>
            <textarea
              rows={3}
              required={question.note.required === true}
              value={note.value}
              onInput={(event) => (note.value = event.currentTarget.value)}
            />
          </label>
        )}
        <div class="actions">
          <button type="submit" class={question.danger ? 'danger' : 'main'}>
            {question.yes}
          </button>
          <button type="button" onClick={() => end(undefined)}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  );
}
