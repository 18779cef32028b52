import type { ComponentChildren } from 'preact';

interface FormEndProps {
  /** Why what was sent was refused. */
  readonly problem: string | undefined;
  readonly disabled?: boolean;
  readonly close: () => void;
  /** What the button says. */
  readonly children: ComponentChildren;
}

/** The end of a form in a dialog: what went wrong, the button that sends it, and the way out. */
export function FormEnd({ problem, disabled = false, close, children }: FormEndProps) {
  return (
    <>
      {problem !== undefined && (
        <p class="warn" role="alert">
          <bdi>{problem}</bdi>
        </p>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={disabled}>
          {children}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </>
  );
}
