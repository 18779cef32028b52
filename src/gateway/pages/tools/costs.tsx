import { count, size } from '../../../console/client/ui/ago.tsx';
import { linkTo } from '../../../console/client/pages.ts';
import { Table } from '../../../console/client/ui/table.tsx';
import type { Costs } from './tool-types.ts';
import { tokens } from './words.ts';

/** What listing the tools costs every conversation, and what it would cost in another exposure. */
export function CostTable({ costs: { sources, search, total } }: { costs: Costs }) {
  return (
    <section class="card" aria-label="What the list costs">
      <h2>What the list costs</h2>
      <p class="quiet">
        An assistant reads the list of tools in every conversation. Listed <b>flat</b>, each tool is there in full; in{' '}
        <b>compact</b>, three tools stand for all of a source; with <b>search</b>, three stand for everything. The
        numbers are tokens, counted as a quarter of the bytes. Set <code>expose</code> in <code>sluice.yaml</code>, or
        for one client <code>?expose=compact</code> in the address of <code>/mcp</code>.
      </p>
      <p class="totals">
        <span>
          Now <b>{tokens(total.now)}</b>
        </span>
        <span>
          All flat <b>{tokens(total.flat)}</b>
        </span>
        <span>
          All compact <b>{tokens(total.compact)}</b>
        </span>
        <span>
          All by search <b>{tokens(search)}</b>
        </span>
        <span class="quiet">({size(total.now)} now)</span>
      </p>
      <Table
        label="Sources"
        rows={sources}
        keyOf={({ source }) => source}
        columns={[
          {
            title: 'Source',
            cell: ({ source }) => (
              <a href={linkTo('tools', [], { source })}>
                <bdi>{source}</bdi>
              </a>
            ),
          },
          { title: 'Tools', number: true, cell: ({ tools }) => count(tools) },
          { title: 'Exposure', cell: ({ exposure }) => exposure },
          { title: 'Flat', number: true, cell: ({ flat }) => tokens(flat) },
          { title: 'Compact', number: true, cell: ({ compact }) => tokens(compact) },
        ]}
      />
    </section>
  );
}
