import type { ComponentChildren } from 'preact';
import type { Query } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { count, duration } from '../../../console/client/ui/ago.tsx';
import { Caller } from '../../../console/client/ui/caller.tsx';
import { type By, percent, shareFailed, type SortBy, UNKNOWN, type UsageRow } from './rows.ts';

interface UsageTableProps {
  readonly rows: readonly UsageRow[];
  readonly by: By;
  readonly period: string;
  readonly sort: SortBy;
  readonly ascending: boolean;
  readonly change: (query: Query) => void;
}

const columns: readonly (readonly [SortBy, string, (row: UsageRow) => ComponentChildren])[] = [
  ['calls', 'Calls', ({ calls }) => count(calls)],
  ['failed', 'Failed', ({ failed }) => (failed === 0 ? '–' : <span class="bad">{count(failed)}</span>)],
  ['share', 'Share', (row) => percent(shareFailed(row))],
  ['p50', 'Median', ({ p50Ms }) => (p50Ms === undefined ? '–' : duration(p50Ms))],
  ['p95', '95 % within', ({ p95Ms }) => (p95Ms === undefined ? '–' : duration(p95Ms))],
];

const heads: Readonly<Record<By, string>> = { tool: 'Tool', source: 'Server or part', key: 'Key or user' };

/** A table that its headings sort. */
export function UsageTable({ rows, by, period, sort, ascending, change }: UsageTableProps) {
  const press = (id: SortBy) =>
    change({ sort: id === 'calls' ? undefined : id, order: id === sort && !ascending ? 'up' : undefined });
  const head = (id: SortBy, words: string, kind: string) => (
    <th
      key={id}
      scope="col"
      class={kind}
      aria-sort={sort !== id ? undefined : ascending === (id !== 'name') ? 'ascending' : 'descending'}
    >
      <button type="button" class="plain" onClick={() => press(id)}>
        {words}
        {sort === id && <span aria-hidden="true">{ascending === (id !== 'name') ? ' ↑' : ' ↓'}</span>}
      </button>
    </th>
  );
  return (
    <table class="usage" aria-label="Usage">
      <thead>
        <tr>
          {head('name', heads[by], '')}
          {columns.map(([id, words]) => head(id, words, 'number'))}
          <th scope="col">Mostly because</th>
          <th scope="col">More</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <td data-title={heads[by]}>
              <Name row={row} by={by} />
            </td>
            {columns.map(([id, words, cell]) => (
              <td key={id} data-title={words} class="number">
                {cell(row)}
              </td>
            ))}
            <td data-title="Mostly because">
              <bdi class="usage-reason">{row.reason}</bdi>
            </td>
            <td data-title="More">
              <a
                href={linkTo('activity', [], { ...filters(row, by), since: period })}
                aria-label={`Its calls: ${row.name}`}
              >
                Its calls
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ row: { name }, by }: { row: UsageRow; by: By }) {
  if (name === UNKNOWN) return <i>what does not exist</i>;
  if (by !== 'tool') return <Caller id={name} />;
  return (
    <a href={linkTo('tools', [name])}>
      <bdi>{name}</bdi>
    </a>
  );
}

function filters({ name }: UsageRow, by: By): Record<string, string> {
  if (by === 'tool') return { tool: name };
  return by === 'source' ? { source: name, type: 'tool.*' } : { principal: name, type: 'tool.*' };
}
