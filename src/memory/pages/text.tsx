import { useSignal } from '@preact/signals';
import { Copy } from '../../console/client/ui/copy.tsx';

const FIRST = 20_000;

/** A text as it was written. Of a very long one first the beginning: a browser shows that at once. */
export function LongText({ text }: { text: string }) {
  const all = useSignal(false);
  const isCut = text.length > FIRST && !all.value;
  return (
    <>
      <pre class="memory-text" tabIndex={0}>
        <bdi>{isCut ? text.slice(0, FIRST) : text}</bdi>
      </pre>
      <div class="actions">
        <Copy text={text}>Copy the text</Copy>
        {isCut && (
          <button type="button" class="plain" onClick={() => (all.value = true)}>
            Show all {text.length.toLocaleString('en')} characters
          </button>
        )}
      </div>
    </>
  );
}
