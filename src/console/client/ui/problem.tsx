import type { Failed } from '../api.ts';

/** An error, in words, with a way to try again. */
export function Problem({ error, again }: { error: Failed; again?: (() => void) | undefined }) {
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
