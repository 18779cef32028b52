import { useSignal } from '@preact/signals';

const FIRST = 100;

/** JSON to open and close. Large lists show their beginning, long texts are cut until somebody wants them. */
export function Tree({ value, open = 1 }: { value: unknown; open?: number }) {
  return (
    <div class="tree">
      <Branch value={value} open={open} />
    </div>
  );
}

function Branch({ name, value, open }: { name?: string; value: unknown; open: number }) {
  const isOpen = useSignal(open > 0);
  const most = useSignal(FIRST);
  const label =
    name === undefined ? null : (
      <span class="name">
        <bdi>{name}</bdi>:{' '}
      </span>
    );
  if (value === null || typeof value !== 'object') {
    return (
      <div class="leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const entries = Array.isArray(value)
    ? value.map((one, index) => [String(index), one] as const)
    : Object.entries(value);
  const summary = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div class="leaf">
        {label}
        {Array.isArray(value) ? '[]' : '{}'}
      </div>
    );
  return (
    <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        {label}
        <span class="quiet">{summary}</span>
      </summary>
      {isOpen.value &&
        entries.slice(0, most.value).map(([key, one]) => <Branch key={key} name={key} value={one} open={open - 1} />)}
      {isOpen.value && entries.length > most.value && (
        <button type="button" class="plain" onClick={() => (most.value *= 10)}>
          Show more of {entries.length}
        </button>
      )}
    </details>
  );
}

const LONG = 400;

function Leaf({ value }: { value: unknown }) {
  const whole = useSignal(false);
  if (typeof value !== 'string')
    return <span class={`value ${value === null ? 'null' : typeof value}`}>{String(value)}</span>;
  const cut = !whole.value && value.length > LONG;
  return (
    <span class="value string">
      <bdi>{cut ? value.slice(0, LONG) : value}</bdi>
      {cut && (
        <button type="button" class="plain" onClick={() => (whole.value = true)}>
          … {value.length} characters
        </button>
      )}
    </span>
  );
}
