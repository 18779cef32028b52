import { useSignal } from '@preact/signals';
import { count } from '../../../../console/client/ui/ago.tsx';
import { Copy } from '../../../../console/client/ui/copy.tsx';
import { Download } from './download.tsx';

const FIRST = 20_000;
/** Laying out more at once would stop the page for seconds. */
const MORE = 200_000;

/** A text as it is, never as a document. Of a long one, the beginning; the rest when somebody wants it. */
export function LongText({ text, name }: { text: string; name: string }) {
  const shown = useSignal(FIRST);
  const isCut = text.length > shown.value;
  return (
    <div class="long-text">
      <pre tabIndex={0}>
        <bdi>{isCut ? text.slice(0, shown.value) : text}</bdi>
      </pre>
      <p class="line">
        {isCut && (
          <>
            <span class="quiet">
              The first {count(shown.value)} of {count(text.length)} characters.
            </span>
            <button type="button" class="plain" onClick={() => (shown.value += MORE)}>
              Show more
            </button>
          </>
        )}
        <Copy text={text}>Copy the text</Copy>
        <Download name={name} make={() => [text]} />
      </p>
    </div>
  );
}
