import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { keyNames, useKeyNames } from '../../console/client/key-names.ts';
import { count } from '../../console/client/ui/ago.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Choice, Search, Tabs } from '../../console/client/ui/fields.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { type By, isSort, percent, shareFailed, type SortBy, sorted, type Usage } from './usage/rows.ts';
import { UsageTable } from './usage/table.tsx';

const EVERY_MS = 30_000;
/** The most that it returns in each of its lists. */
const MOST = 200;

const periods = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const;
type Period = (typeof periods)[number][0];

const kinds: readonly (readonly [By, string])[] = [
  ['tool', 'By tool'],
  ['source', 'By server'],
  ['key', 'By key'],
];

/** Which tools, servers and keys are used most, are slowest, and fail most. */
export default function UsagePage() {
  const [query, change] = useQuery();
  useKeyNames();
  const period: Period = periods.find(([one]) => one === query.since)?.[0] ?? '24h';
  const by: By = kinds.find(([one]) => one === query.by)?.[0] ?? 'tool';
  const usage = useData<Usage>(
    (signal) => get(`api/v1/usage?by=${by}&since=${period}&limit=${MOST}`, signal),
    [by, period],
    EVERY_MS,
  );
  return (
    <Page title="Usage" lead="Which tools are used most, are slowest, and fail most, from recorded calls.">
      <div class="bar">
        <Search label="Search names" value={query.q ?? ''} onSearch={(q) => change({ q })} pauseMs={0} />
        <Tabs
          label="Count"
          tabs={kinds}
          chosen={by}
          onChoose={(id) => change({ by: id === 'tool' ? undefined : id })}
        />
        <Choice
          label="Period"
          value={period}
          options={periods}
          onChoose={(since) => change({ since: since === '24h' ? undefined : since })}
        />
      </div>
      <Loaded data={usage} waiting="Counting calls …">
        {(value) => <Counted usage={value} by={by} period={period} />}
      </Loaded>
    </Page>
  );
}

const nouns: Readonly<Record<By, string>> = { tool: 'tools', source: 'servers and parts', key: 'keys and users' };

const orders: readonly (readonly [SortBy, string])[] = [
  ['calls', 'Most calls'],
  ['failed', 'Most failures'],
  ['share', 'Highest share of failures'],
  ['p50', 'Highest median'],
  ['p95', 'Slowest'],
  ['name', 'Name'],
];

function Counted({ usage, by, period }: { usage: Usage; by: By; period: Period }) {
  const [query, change] = useQuery();
  const { calls, failed, distinct } = usage;
  if (calls === 0)
    return (
      <Empty title="No calls in this time">
        Choose a longer period, or let a client call a tool. If <code>events.calls</code> is off, Sluice records none.
      </Empty>
    );
  const sort = isSort(query.sort) ? query.sort : 'calls';
  const rows = sorted(usage, sort, query.q ?? '', query.order === 'up', keyNames.value);
  return (
    <>
      <p>
        <b>{count(calls)}</b> calls, <b class={failed > 0 ? 'bad' : ''}>{count(failed)}</b> failed
        {failed > 0 && <> ({percent(shareFailed(usage))})</>}, {count(distinct)} {nouns[by]}.
      </p>
      <div class="usage-order">
        <Choice label="Order" value={sort} options={orders} onChoose={(id) => change({ sort: id, order: undefined })} />
      </div>
      {rows.length === 0 ? (
        <Empty title="Nothing of this name was called">
          <button type="button" class="plain" onClick={() => change({ q: undefined })}>
            Show everything
          </button>
        </Empty>
      ) : (
        <UsageTable rows={rows} by={by} period={period} sort={sort} ascending={query.order === 'up'} change={change} />
      )}
      {distinct > rows.length && (query.q ?? '') === '' && (
        <p class="quiet">
          The {count(rows.length)} most used, slowest and most failing of {count(distinct)}.
        </p>
      )}
    </>
  );
}
