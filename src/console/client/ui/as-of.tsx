import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { localTime, placeOf, timeAt, TOP } from './as-of.ts';

interface AsOfProps {
  /** An ISO time; undefined is now. */
  readonly value: string | undefined;
  /** Where the slider begins. */
  readonly since: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Shows things as they were: a slider through time, and a field for an exact one. */
export function AsOf({ value, since, onChange }: AsOfProps) {
  const now = Date.now();
  const from = Date.parse(since ?? '');
  const dragged = useSignal<number | undefined>(undefined);
  useEffect(() => {
    dragged.value = undefined;
  }, [value]);
  const place = dragged.value ?? placeOf(value, from, now);
  const time = dragged.value === undefined ? value : timeAt(dragged.value, from, now);
  const words = time === undefined ? 'As of now' : `As of ${spoken(time)}`;
  return (
    <div class="as-of" role="group" aria-label="Time">
      {Number.isFinite(from) && from < now && (
        <label class="choice slide">
          <span>
            <output>{words}</output>
          </span>
          <input
            type="range"
            min="0"
            max={TOP}
            value={place}
            aria-label="As of"
            aria-valuetext={words}
            onInput={(event) => (dragged.value = Number(event.currentTarget.value))}
            onChange={(event) => onChange(timeAt(Number(event.currentTarget.value), from, now))}
          />
          <small class="quiet ends">
            <span>{new Date(from).toLocaleDateString()}</span>
            <span>now</span>
          </small>
        </label>
      )}
      <label class="choice">
        <span>Date and time</span>
        <input
          type="datetime-local"
          value={localTime(time)}
          onChange={(event) => {
            const given = new Date(event.currentTarget.value);
            onChange(Number.isNaN(given.getTime()) ? undefined : given.toISOString());
          }}
        />
      </label>
      {value !== undefined && (
        <button type="button" onClick={() => onChange(undefined)}>
          Back to now
        </button>
      )}
    </div>
  );
}

function spoken(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : at.toLocaleString();
}
