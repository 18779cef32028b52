import { hash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Health } from '../kernel/health.ts';

export const statusStyle = `
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      body { max-width: 60rem; margin: 3rem auto; padding: 0 1rem; }
      table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }
      th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; vertical-align: top; white-space: nowrap; }
      td:last-child { white-space: normal; overflow-wrap: anywhere; width: 100%; }
      .RUNNING, .ready, .ok { color: #188a42; } .FAILED, .failing, .failed { color: #d1242f; }
      .DEGRADED, .STARTING, .degraded, .starting { color: #b07800; } .off { opacity: .6; }
      code { background: #8882; padding: .1rem .3rem; border-radius: .2rem; }
`;

/** The page loads nothing, runs no script, cannot be framed and is not cached. */
export const statusHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', statusStyle, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

interface Shown {
  state: string;
  problems: string[];
  backends: { name: string; state: string; tools: number; lastError?: { message: string } | undefined }[];
  parts: Health[];
  tools: number;
  replicas?:
    | {
        id: string;
        host: string;
        version: string;
        state: string;
        sessions: number;
        seenSeconds: number;
        leads: string[];
        draining?: boolean | undefined;
        self?: boolean | undefined;
      }[]
    | undefined;
}

/** A plain status page for browsers. */
export function statusPage(status: Shown, version: string) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sluice</title>
    <style>${raw(statusStyle)}</style>
  </head>
  <body>
    <h1>Sluice</h1>
    <p>Version ${version}. ${status.tools} tools at <code>/mcp</code>. State: <strong class="${status.state}">${status.state}</strong>.</p>
    ${status.problems.length === 0 ? '' : html`<ul>${status.problems.map((line) => html`<li>${line}</li>`)}</ul>`}
    ${
      status.backends.length === 0
        ? html`<p>No MCP server is configured yet. Run <code>sluice init</code>, or add servers to <code>mcpServers</code> in <code>sluice.yaml</code>.</p>`
        : html`<table>
            <thead><tr><th>Server</th><th>State</th><th>Tools</th><th>Last error</th></tr></thead>
            <tbody>${status.backends.map(({ name, state, tools, lastError }) => html`<tr><td>${name}</td><td class="${state}">${state}</td><td>${tools}</td><td>${lastError?.message ?? ''}</td></tr>`)}</tbody>
          </table>`
    }
    <table>
      <thead><tr><th>Part</th><th>State</th><th>Since</th><th>Detail</th></tr></thead>
      <tbody>${status.parts.map((part) => html`<tr><td>${part.name}</td><td class="${part.state}">${part.state}</td><td>${moment(part.since)}</td><td>${noteOf(part)}</td></tr>`)}</tbody>
    </table>
    ${
      status.replicas &&
      html`<table>
            <thead><tr><th>Replica</th><th>Host</th><th>State</th><th>Version</th><th>Sessions</th><th>Detail</th></tr></thead>
            <tbody>${status.replicas.map((replica) => html`<tr><td>${replica.id}</td><td>${replica.host}</td><td class="${replica.state}">${replica.state}</td><td>${replica.version}</td><td>${replica.sessions}</td><td>${replicaNote(replica)}</td></tr>`)}</tbody>
          </table>`
    }
  </body>
</html>`;
}

function replicaNote({ self, draining, seenSeconds, leads }: NonNullable<Shown['replicas']>[number]): string {
  return [
    self && 'shows this page',
    draining && 'about to stop',
    !self && `seen ${seenSeconds} s ago`,
    leads.length > 0 && `leads ${leads.join(', ')}`,
  ]
    .filter((note) => note)
    .join(' · ');
}

function noteOf({ state, detail, lastError, retryAt, fix }: Health): string {
  const error = lastError && `${lastError.message} (${moment(lastError.at)})`;
  const works = state === 'ready' || state === 'starting' || state === 'off';
  return [
    ...(works
      ? [detail, error && `Last error: ${error}`]
      : [error, error?.includes(detail ?? '') ? undefined : detail]),
    retryAt === undefined ? undefined : `Next attempt: ${moment(retryAt)}`,
    fix,
  ]
    .filter((note) => note !== undefined)
    .join(' · ');
}

/** Without fractions of a second, which only make it hard to read. */
function moment(at: string | undefined): string {
  return at === undefined ? '' : `${at.slice(0, 19).replace('T', ' ')} UTC`;
}
