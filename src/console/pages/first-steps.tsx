import { addressOf } from '../client/api.ts';
import { session } from '../client/session.ts';
import { Copy } from '../client/ui/copy.tsx';
import type { Status } from './status.ts';

/** For a gateway that nobody uses yet: how to connect a client, and how to add servers. */
export function FirstSteps({ status: { backends, sessions, parts } }: { status: Status }) {
  const hasN8n = parts.some(({ kind }) => kind === 'n8n');
  const isUsed = (sessions ?? 0) > 0 || backends.length > 0 || hasN8n;
  if (isUsed) return null;
  const key = session.value?.open ? '' : ' --header "Authorization: Bearer YOUR_KEY"';
  return (
    <section class="card">
      <h2>First steps</h2>
      <ol>
        <li>
          Connect your assistant, for example Claude Code:
          <Command text={`claude mcp add --transport http sluice ${addressOf('mcp')}${key}`} />
        </li>
        <li>
          Import the servers that your other clients use:
          <Command text="node bin/sluice.js init" />
        </li>
        <li>
          Connect an n8n, or let Sluice install one:
          <Command text="npm start -- --with-n8n" />
        </li>
      </ol>
    </section>
  );
}

function Command({ text }: { text: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <Copy text={text} />
    </div>
  );
}
