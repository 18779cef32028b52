import { hash } from 'node:crypto';
import { isLoopback } from '../kernel/plain-http.ts';
import { inWords } from './scope-words.ts';

const pageStyle = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --back: #f3f5f7; --card: #ffffff; --line: #d0d7de;
  --accent: #0b5cad; --on-accent: #ffffff; --warn: #9a3412; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9da7b3; --back: #0d1117; --card: #161b22;
  --line: #30363d; --accent: #6cb2ff; --on-accent: #06121f; --warn: #ffb38a; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; }
h1 { margin: 0 0 1rem; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); font-size: .9rem; }
.below { margin: 1.25rem 0 0; }
.warn { color: var(--warn); font-weight: 600; }
dl { margin: 0 0 1rem; display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { color: var(--quiet); } dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
fieldset { margin: 0 0 1rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
legend { padding: 0 .25rem; font-weight: 600; }
label.choice { display: grid; grid-template-columns: 1.25rem 1fr; gap: .5rem; padding: .35rem 0; }
label.choice input { width: 1.1rem; height: 1.1rem; margin: .2rem 0 0; accent-color: var(--accent); }
code { font-size: .85rem; color: var(--quiet); }
label.field { display: block; font-weight: 600; margin-bottom: .25rem; }
input[type=password] { width: 100%; padding: .6rem .75rem; font: inherit; color: inherit; background: var(--back);
  border: 1px solid var(--line); border-radius: .5rem; margin-bottom: 1rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
button { padding: .6rem 1.1rem; font: inherit; font-weight: 600; border-radius: .5rem; border: 1px solid var(--line);
  background: transparent; color: inherit; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/**
 * The page loads nothing, runs no script and cannot be framed. There is no form-action because browsers also apply it
 * to the redirect after the form, which leads to the client. The origin is sent because the form's handler checks it.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', pageStyle, 'base64')}'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** `script` is the URL of a script, for pages whose policy allows it. */
function page(title: string, body: string, script?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} – Sluice</title>
<style>${pageStyle}</style>${script === undefined ? '' : `\n<script src="${escaped(script)}" defer></script>`}
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

/** The client that asks for access, as far as we know it. */
export interface Asker {
  /** The name the client gave itself. */
  name: string;
  redirectUri: string;
  /** The host of the client's metadata document, if it has one. */
  publishedBy?: string;
}

export function loginPage(given: { action: string; token: string; asker: Asker; problem?: string }): string {
  const { action, token, asker, problem } = given;
  return page(
    'Sign in',
    `<h1>Sign in to your gateway</h1>
<p>${escaped(asker.name)} asks for access. Sign in as the owner first.</p>
${problem === undefined ? '' : `<p class="warn" role="alert">${escaped(problem)}</p>`}
<form method="post" action="${escaped(action)}">
<input type="hidden" name="token" value="${escaped(token)}">
<input type="text" name="username" value="owner" autocomplete="username" hidden>
<label class="field" for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required autofocus>
<div class="actions">
<button class="main" type="submit" name="do" value="login">Sign in</button>
<button type="submit" name="do" value="deny" formnovalidate>Cancel</button>
</div>
</form>
<p class="quiet below">The gateway printed the password at its first start, or it is in the configuration.
<code>sluice owner reset</code> sets a new one.</p>`,
  );
}

export function consentPage(given: {
  action: string;
  token: string;
  asker: Asker;
  resource: string;
  scopes: readonly string[];
  problem?: string;
}): string {
  const { action, token, asker, resource, scopes, problem } = given;
  return page(
    'Allow access',
    `<h1>${escaped(asker.name)} wants to use your tools</h1>
<p>The program chose this name itself. Allow access only if you just asked for it and know where it leads.</p>
<dl>
<dt>Sends you back to</dt><dd>${escaped(destination(asker.redirectUri))}</dd>
${asker.publishedBy === undefined ? '' : `<dt>Published by</dt><dd>${escaped(asker.publishedBy)}</dd>`}
<dt>Gets access to</dt><dd>${escaped(resource)}</dd>
</dl>
${problem === undefined ? '' : `<p class="warn" role="alert">${escaped(problem)}</p>`}
<form method="post" action="${escaped(action)}">
<input type="hidden" name="token" value="${escaped(token)}">
<fieldset>
<legend>It may …</legend>
${scopes.map(choice).join('\n')}
</fieldset>
<p class="quiet">Access lasts while the program is in use, without asking you again.
<code>sluice owner reset --revoke</code> revokes all access.</p>
<div class="actions">
<button class="main" type="submit" name="do" value="allow">Allow</button>
<button type="submit" name="do" value="deny">Deny</button>
</div>
</form>`,
  );
}

function choice(scope: string): string {
  // `admin` reaches beyond tools: the owner must select it deliberately.
  const checked = scope === 'admin' ? '' : ' checked';
  return `<label class="choice"><input type="checkbox" name="scope" value="${escaped(scope)}"${checked}>
<span>${escaped(inWords(scope))} <code>${escaped(scope)}</code></span></label>`;
}

/** Where the browser goes next, in words. Show the host: a client cannot fake it. */
export function destination(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol !== 'http:' && protocol !== 'https:') return `an app on this device (${protocol}//)`;
  return isLoopback(hostname) ? `a program on this computer (${host})` : host;
}

export function errorPage(error: string, description: string | undefined): string {
  return page(
    'This did not work',
    `<h1>This did not work</h1>
<p role="alert">${escaped(description ?? error)}</p>
<p class="quiet">Go back to the program you came from and connect it again. (${escaped(error)})</p>`,
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
