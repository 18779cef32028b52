import { useEffect, useRef } from 'preact/hooks';
import { Copy } from '../../../console/client/ui/copy.tsx';
import type { ServerDetail } from './server.ts';

const NEAR_PX = 40;

/** The end of what a program wrote to stderr. It follows, unless somebody scrolled up to read. */
export function StderrTail({ stderr: { lines, why } }: Pick<ServerDetail, 'stderr'>) {
  const box = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  const text = lines.join('\n');
  useEffect(() => {
    const element = box.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
  }, [text]);
  return (
    <section class="card server-part" aria-label="What it wrote to stderr">
      <div class="head">
        <h2>What it wrote to stderr</h2>
        {lines.length > 0 && <Copy text={text}>Copy</Copy>}
      </div>
      {lines.length === 0 ? (
        <p class="quiet">{why}</p>
      ) : (
        <pre
          ref={box}
          class="server-stderr"
          tabIndex={0}
          aria-label="The last lines"
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            follows.current = scrollTop + clientHeight > scrollHeight - NEAR_PX;
          }}
        >
          {text}
        </pre>
      )}
    </section>
  );
}
