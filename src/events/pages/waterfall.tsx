import { duration } from '../../console/client/ui/ago.tsx';
import { Away } from '../../console/client/ui/link.tsx';
import { useSignal } from '@preact/signals';
import type { Event } from './event.ts';
import { Words } from './said.tsx';
import type { Line } from './trace-lines.ts';

interface WaterfallProps {
  readonly lines: readonly Line[];
  readonly choose: (event: Event) => void;
}

const FIRST = 300;
const INDENT = 0.9;
/** Narrower bars cannot be seen. */
const THINNEST = 0.4;

/** Lines with bars: what took how long, and when. */
export function Waterfall({ lines, choose }: WaterfallProps) {
  const most = useSignal(FIRST);
  const from = Math.min(...lines.map(({ start }) => start ?? Number.POSITIVE_INFINITY));
  const to = Math.max(...lines.map(({ start, end }) => end ?? start ?? Number.NEGATIVE_INFINITY));
  const span = Math.max(to - from, 0.001);
  const percent = (at: number): number => Math.max(0, Math.min(100, ((at - from) / span) * 100));
  return (
    <div class="waterfall">
      {to > from && (
        <div class="axis" aria-hidden="true">
          <span class="label" />
          <span class="ticks">
            {[0, 0.25, 0.5, 0.75, 1].map((part) => (
              <span key={part}>{duration(span * part)}</span>
            ))}
          </span>
        </div>
      )}
      <ol aria-label="What happened, in order">
        {lines.slice(0, most.value).map((line) => {
          const { key, depth, kind, start, end, state } = line;
          const left = start === undefined ? undefined : percent(start);
          const isMoment = kind === 'event';
          const width = left === undefined ? 0 : Math.max(THINNEST, percent(end ?? to) - left);
          return (
            <li key={key} class={`${kind} ${state}`}>
              <span class="label" style={{ paddingInlineStart: `${depth * INDENT}rem` }}>
                <Label line={line} choose={choose} />
              </span>
              <span class="track">
                {left !== undefined && (
                  <span
                    class={isMoment ? 'moment' : 'span'}
                    style={
                      isMoment ? { left: `${left}%` } : { left: `min(${left}%, calc(100% - 2px))`, width: `${width}%` }
                    }
                  />
                )}
              </span>
              <span class="took number">{tookText(line)}</span>
            </li>
          );
        })}
      </ol>
      {lines.length > most.value && (
        <button type="button" onClick={() => (most.value *= 4)}>
          Show more of {lines.length} lines
        </button>
      )}
    </div>
  );
}

function Label({ line, choose }: { line: Line; choose: (event: Event) => void }) {
  const { label, event, url, detail, state, kind } = line;
  const text = <Words parts={label} />;
  return (
    <>
      {state === 'bad' && kind !== 'server' && <span class="bad">✕ failed </span>}
      {url !== undefined ? (
        <Away to={url}>{text}</Away>
      ) : event ? (
        <button type="button" class="plain" onClick={() => choose(event)}>
          {text}
        </button>
      ) : (
        text
      )}
      {detail !== undefined && (
        <span class={state === 'bad' ? 'bad' : 'quiet'}>
          {' '}
          <bdi>{detail}</bdi>
        </span>
      )}
    </>
  );
}

function tookText({ kind, start, end, state }: Line): string {
  if (kind === 'event') return '';
  if (state === 'open') return 'no end';
  if (start === undefined || end === undefined) return '';
  return `${state === 'unsure' ? 'at most ' : ''}${duration(Math.max(0, end - start))}`;
}
