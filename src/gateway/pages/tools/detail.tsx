import { get } from '../../../console/client/api.ts';
import { useData, useQuery } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { Tabs } from '../../../console/client/ui/fields.tsx';
import { Loaded, Page } from '../../../console/client/ui/page.tsx';
import { About } from './about.tsx';
import { Prose } from './form/prose.tsx';
import type { Details } from './tool-types.ts';
import { TryIt } from './try-it.tsx';
import { effects } from './words.ts';

/** One tool: what it is, and trying it. */
export function ToolDetail({ name }: { name: string }) {
  const tool = useData<Details>((signal) => get(`api/v1/mcp/tools/${encodeURIComponent(name)}`, signal), [name]);
  const [{ view = 'try' }, setQuery] = useQuery();
  const { value } = tool;
  return (
    <Page
      title={<bdi>{value?.title ?? value?.name ?? name}</bdi>}
      lead={
        <>
          <a href={linkTo('tools')}>Tools</a> / <bdi>{value?.name ?? name}</bdi>
        </>
      }
    >
      <Loaded data={tool} waiting="Asking the gateway about this tool …">
        {(details) => (
          <>
            <p class="tool-facts">
              <span class={`effect ${details.effect}`}>{effects[details.effect]}</span>
              <a href={linkTo('tools', [], { source: details.source })}>
                <bdi>{details.source}</bdi>
              </a>
              {!details.available && <b class="bad">Its server is down: calls fail until it is back.</b>}
            </p>
            {details.description !== '' && <Prose text={details.description} longest={600} />}
            <div class="tool-views">
              <Tabs
                label="View"
                chosen={view}
                tabs={[
                  ['try', 'Try it'],
                  ['about', 'What an assistant sees'],
                ]}
                onChoose={(next) => setQuery({ view: next === 'try' ? undefined : next })}
              />
            </div>
            {/* Both stay, so that a look at the schema does not lose what was typed. */}
            <div hidden={view !== 'try'}>
              <TryIt key={JSON.stringify(details.parameters)} tool={details} />
            </div>
            {view === 'about' && <About tool={details} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
