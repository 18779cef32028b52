import { useSignal } from '@preact/signals';
import { brief, own } from '../schema/json.ts';
import type { Grid } from './table-of.ts';

const FIRST = 50;
const LONGEST_CELL = 200;

/** Rows of an answer. The names of its columns come from the tool, so two may look alike: they go by their place. */
export function GridView({ grid: { at, columns, more, rows } }: { grid: Grid }) {
  const most = useSignal(FIRST);
  return (
    <>
      <div class="wide" tabIndex={0} role="region" aria-label={at === '' ? 'Rows' : `Rows of ${brief(at)}`}>
        <table aria-label="Answer as a table">
          <thead>
            <tr>
              {columns.map((name, index) => (
                <th key={index} scope="col">
                  <bdi>{brief(name)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most.value).map((row, index) => (
              <tr key={index}>
                {columns.map((name, place) => (
                  <td key={place} data-title={brief(name)} class={typeof own(row, name) === 'number' ? 'number' : ''}>
                    <bdi>{brief(own(row, name), LONGEST_CELL)}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p class="quiet">{more} more columns are in the tree.</p>}
      {rows.length > most.value && (
        <button type="button" class="plain" onClick={() => (most.value += 200)}>
          Show more of {rows.length} rows
        </button>
      )}
    </>
  );
}
