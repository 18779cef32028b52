import { useEffect, useMemo, useRef } from 'preact/hooks';
import { get } from '../../../console/client/api.ts';
import { useData, useQuery } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { count } from '../../../console/client/ui/ago.tsx';
import { Empty } from '../../../console/client/ui/empty.tsx';
import { Choice, Search } from '../../../console/client/ui/fields.tsx';
import { Loaded, Page } from '../../../console/client/ui/page.tsx';
import { Rows } from '../../../console/client/ui/rows.tsx';
import { CostTable } from './costs.tsx';
import { found, indexed, isWish } from './matching.ts';
import type { Brief, Costs, Effect } from './tool-types.ts';
import { effects, exposures, tokens } from './words.ts';

const REFRESH_MS = 60_000;
/** As long as the search of the gateway takes. */
const LONGEST_WISH = 500;
const MOST_RANKED = 50;

/** All tools, found by name or by plain words. */
export function ToolList() {
  const [query, setQuery] = useQuery();
  const { q = '', source, effect, exposure } = query;
  const tools = useData<{ tools: Brief[] }>(
    async (signal) => (await get<{ result: { tools: Brief[] } }>('api/v1/mcp/tools?detail=brief', signal)).result,
    [],
    REFRESH_MS,
  );
  const costs = useData<Costs>((signal) => get('api/v1/mcp/sources', signal), [], REFRESH_MS);
  const ranked = useData<{ of: string; names: string[] }>(
    async (signal) => {
      if (!isWish(q)) return { of: q, names: [] };
      const asked = new URLSearchParams({
        wish: q.slice(0, LONGEST_WISH),
        detail: 'brief',
        limit: String(MOST_RANKED),
      });
      const { result } = await get<{ result: { tools: Brief[] } }>(`api/v1/mcp/tools?${asked.toString()}`, signal);
      return { of: q, names: result.tools.map(({ name }) => name) };
    },
    [q],
  );
  const index = useMemo(() => indexed(tools.value?.tools ?? []), [tools.value]);
  const best = ranked.value?.of === q ? ranked.value.names : [];
  const shown = useMemo(
    () => found(index, q, { source, effect, exposure }, best),
    [index, q, source, effect, exposure, best],
  );
  const sources = costs.value?.sources ?? [];
  const all = tools.value?.tools.length ?? 0;
  return (
    <Page
      title="Tools"
      lead={
        tools.value && (
          <>
            {count(all)} tools
            {costs.value && ` from ${sources.length} ${sources.length === 1 ? 'source' : 'sources'}`}. Open one to see
            what an assistant sees, and to try it.
          </>
        )
      }
    >
      <div class="bar" onKeyDown={toFirst}>
        <Search
          label="Search by name, or say what you want to do"
          value={q}
          pauseMs={120}
          onSearch={(text) => setQuery({ q: text })}
        />
        <Choice
          label="Source"
          value={source ?? ''}
          options={[['', 'all'], ...sources.map((one) => [one.source, one.source] as const)]}
          onChoose={(next) => setQuery({ source: next })}
        />
        <Choice
          label="Effect"
          value={effect ?? ''}
          options={[['', 'any'], ...(Object.entries(effects) as [Effect, string][])]}
          onChoose={(next) => setQuery({ effect: next })}
        />
        <Choice
          label="Exposure"
          value={exposure ?? ''}
          options={[['', 'any'], ...Object.entries(exposures)]}
          onChoose={(next) => setQuery({ exposure: next })}
        />
      </div>
      <Loaded data={tools} waiting="Asking the gateway for its tools …">
        {() =>
          all === 0 ? (
            <Empty title="There are no tools">
              Add a server to <code>sluice.yaml</code>, or sign in with a key that may see some.
            </Empty>
          ) : shown.length === 0 ? (
            <Empty title="Nothing fits">
              {ranked.loading && isWish(q)
                ? 'Asking the gateway what fits …'
                : 'Use fewer or other words, or another filter.'}
            </Empty>
          ) : (
            <>
              <p class="quiet" role="status">
                {shown.length === all ? '' : `${count(shown.length)} of ${count(all)} fit. `}
                {best.length > 0 && 'Those that fit your wish best come first. '}
                {ranked.error && 'The gateway could not rank them: only tools with all of your words are shown. '}≈ is
                how many tokens a tool costs an assistant that has it in its list.
              </p>
              <ToolRows tools={shown} asked={JSON.stringify([q, source, effect, exposure])} />
            </>
          )
        }
      </Loaded>
      {costs.value && <CostTable costs={costs.value} />}
    </Page>
  );
}

const ROW = 58;

/** Another question begins at the top; the same question asked again stays where it is. */
function ToolRows({ tools, asked }: { tools: readonly Brief[]; asked: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('.rows')?.scrollTo(0, 0);
  }, [asked]);
  return (
    <div ref={box} class="tool-rows" onKeyDown={between}>
      <Rows
        label="Tools"
        items={tools}
        keyOf={({ name }) => name}
        height={ROW}
        row={(tool) => (
          <a class="tool" href={linkTo('tools', [tool.name])}>
            <span class="what">
              <code>
                <bdi>{tool.name}</bdi>
              </code>
              {tool.title !== undefined && (
                <b>
                  <bdi>{tool.title}</bdi>
                </b>
              )}
              <span class="quiet">
                <bdi>{tool.description}</bdi>
              </span>
            </span>
            <span class="facts">
              <span class={`effect ${tool.effect}`}>{tool.effect}</span>
              <span class="quiet">
                <bdi>{tool.source}</bdi>
              </span>
            </span>
            <span class="costs">
              <span>{tokens(tool.bytes.flat)} flat</span>
              <span class="quiet">{tokens(tool.bytes.compact)} compact</span>
            </span>
          </a>
        )}
      />
    </div>
  );
}

/** From the search field to the list. */
function toFirst(event: KeyboardEvent): void {
  if (!(event.target instanceof HTMLInputElement)) return;
  const first = document.querySelector<HTMLElement>('.tool-rows a');
  if (!first || (event.key !== 'ArrowDown' && event.key !== 'Enter')) return;
  event.preventDefault();
  if (event.key === 'Enter') first.click();
  else first.focus();
}

/** Arrows go from tool to tool; above the first is the search field. The list keeps a few rows more than it shows. */
function between(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const at = rows.indexOf(event.target as HTMLElement);
  const next = at === -1 ? rows[0] : rows[at + step];
  event.preventDefault();
  if (next) next.focus();
  else if (step === -1) document.querySelector<HTMLInputElement>('input[type=search]')?.focus();
}
