import { get } from '../../../console/client/api.ts';
import { useData } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { may } from '../../../console/client/session.ts';
import { Loaded } from '../../../console/client/ui/page.tsx';

interface Tools {
  readonly result: {
    readonly tools: readonly { readonly name: string; readonly description: string; readonly effect: string }[];
    readonly total: number;
  };
}

const MOST = 100;

/** The tools of a server. `known` changes when they may have changed. */
export function ServerTools({ name, known }: { name: string; known: string }) {
  if (!may('tools:read')) return null;
  return <List name={name} known={known} />;
}

function List({ name, known }: { name: string; known: string }) {
  const path = `api/v1/mcp/tools?source=${encodeURIComponent(name)}&detail=brief&limit=${MOST}`;
  const tools = useData<Tools>((signal) => get(path, signal), [path, known]);
  return (
    <section class="card server-part" aria-label="Its tools">
      <h2>Its tools</h2>
      <Loaded data={tools} waiting="Asking for its tools …">
        {({ result }) =>
          result.tools.length === 0 ? (
            <p class="quiet">None that you may see are known.</p>
          ) : (
            <>
              <ul class="server-tools">
                {result.tools.map((tool) => (
                  <li key={tool.name}>
                    <a href={linkTo('tools', [tool.name])}>
                      <bdi>{tool.name}</bdi>
                    </a>{' '}
                    <small class="quiet">
                      <bdi>{tool.description}</bdi>
                    </small>
                  </li>
                ))}
              </ul>
              {result.total > result.tools.length && (
                <p>
                  <a href={linkTo('tools', [], { source: name })}>All {result.total} tools</a>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
