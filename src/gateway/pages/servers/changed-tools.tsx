import { call, get } from '../../../console/client/api.ts';
import { Ago } from '../../../console/client/ui/ago.tsx';
import { Diff } from '../../../console/client/ui/diff.tsx';
import { Action } from '../../../console/client/ui/fields.tsx';
import { say } from '../../../console/client/ui/notice.tsx';
import { refreshWaiting } from '../../../console/client/waiting.ts';
import type { ChangedTool, ServerDetail } from './server.ts';

/** Tools that are held back because their definition changed: what changed, and a way to accept it. */
export function ChangedTools({ server, changed: reload }: { server: ServerDetail; changed: () => Promise<void> }) {
  const { name, changed, accept } = server;
  const held = server.held ?? 0;
  if (changed.length === 0) return null;

  /** What is accepted must be what the person sees: it may have changed again since the page asked. */
  async function isAsShown(): Promise<boolean> {
    const now = await get<ServerDetail>(`api/v1/servers/${encodeURIComponent(name)}`);
    if (JSON.stringify(now.changed) === JSON.stringify(changed)) return true;
    await reload();
    say(`${name} has changed its tools again. Look at them before you accept them.`, true);
    return false;
  }

  async function accepted(tool?: string): Promise<void> {
    if (!(await isAsShown())) return;
    const answer = await call<{ accepted: readonly string[] }>('gateway_accept_tools', {
      name,
      ...(tool !== undefined && { tool }),
    });
    await Promise.all([reload(), refreshWaiting()]);
    const { length } = answer.accepted;
    say(length === 0 ? 'Nothing waited any more.' : `${length} ${length === 1 ? 'tool was' : 'tools were'} accepted.`);
  }

  return (
    <section class="card server-part" aria-label="Changed definitions">
      <div class="head">
        <div>
          <h2>Changed definitions</h2>
          <p class="lead">
            {held === 1 ? 'This tool is' : `These ${held} tools are`} held back until somebody accepts what the server
            says about {held === 1 ? 'it' : 'them'} now. A description can tell an assistant what to do: read it first.
          </p>
        </div>
        {accept.may && changed.length > 1 && changed.length === held && !changed.some(({ large }) => large) && (
          <Action run={() => accepted()} kind="main">
            Accept all {held}
          </Action>
        )}
      </div>
      {!accept.may && <p class="quiet">{accept.why}</p>}
      {changed.map((one) => (
        <Change
          key={one.tool}
          one={one}
          open={changed.length <= 3}
          accept={accept.may && !one.large ? () => accepted(one.tool) : undefined}
        />
      ))}
      {held > changed.length && <p class="quiet">{held - changed.length} more follow when these are accepted.</p>}
    </section>
  );
}

interface ChangeProps {
  readonly one: ChangedTool;
  readonly open: boolean;
  readonly accept: (() => Promise<void>) | undefined;
}

function Change({ one: { tool, since, accepted, offered, large }, open, accept }: ChangeProps) {
  return (
    <details class="server-change" open={open}>
      <summary>
        <b>
          <bdi>{tool}</bdi>
        </b>{' '}
        {since !== undefined && (
          <span class="quiet">
            changed <Ago at={since} />
          </span>
        )}
      </summary>
      {large ? (
        <p>
          The definitions are too long to be shown here, so they cannot be accepted here.{' '}
          <code>gateway_accept_tools</code> accepts what nobody has read.
        </p>
      ) : accepted === undefined || offered === undefined ? (
        <>
          <p class="quiet">
            {offered === undefined
              ? 'The server does not offer it at the moment.'
              : 'Nobody knows the accepted definition any more. This is the new one:'}
          </p>
          {offered !== undefined && <pre tabIndex={0}>{JSON.stringify(offered, null, 2)}</pre>}
        </>
      ) : (
        <Diff label={`What changed in ${tool}`} before={accepted} after={offered} names={['Accepted', 'Offered now']} />
      )}
      {accept && (
        <p>
          <Action run={accept}>Accept this definition</Action>
        </p>
      )}
    </details>
  );
}
