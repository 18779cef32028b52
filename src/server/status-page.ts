import { html } from 'hono/html';

/** A plain page for whoever opens the URL in a browser. */
export function statusPage(
  status: {
    backends: { name: string; state: string; tools: number; lastError?: { message: string } }[];
    tools: number;
  },
  version: string,
) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sluice</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      body { max-width: 52rem; margin: 3rem auto; padding: 0 1rem; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
      .RUNNING { color: #188a42; } .FAILED { color: #d1242f; } .DEGRADED, .STARTING { color: #b07800; }
      code { background: #8882; padding: .1rem .3rem; border-radius: .2rem; }
    </style>
  </head>
  <body>
    <h1>Sluice</h1>
    <p>Version ${version}. ${status.tools} tools at <code>/mcp</code>.</p>
    ${
      status.backends.length === 0
        ? html`<p>No MCP server is configured yet: run <code>sluice init</code>, or add some to <code>mcpServers</code> in <code>sluice.yaml</code>.</p>`
        : html`<table>
            <thead><tr><th>Server</th><th>State</th><th>Tools</th><th>Last error</th></tr></thead>
            <tbody>${status.backends.map(({ name, state, tools, lastError }) => html`<tr><td>${name}</td><td class="${state}">${state}</td><td>${tools}</td><td>${lastError?.message ?? ''}</td></tr>`)}</tbody>
          </table>`
    }
  </body>
</html>`;
}
