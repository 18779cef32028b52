import { hash } from 'node:crypto';
import { escaped, page, pageHeaders, pageStyle } from '../auth/pages.ts';
import type { WaysIn } from './security.ts';
import { signInScript } from './sign-in-script.ts';
import { statusStyle } from './status-page.ts';

export const SIGN_IN_SCRIPT = '/sign-in.js';

const hashes = [pageStyle, statusStyle].map((style) => `'sha256-${hash('sha256', style, 'base64')}'`).join(' ');

/** One script of ours runs, it asks nobody but us, and nothing can be sent as a form. */
const headers: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': `default-src 'none'; style-src ${hashes}; script-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  vary: 'Accept, Authorization, X-API-Key',
};

/** Whether somebody looks at the gateway in a browser; a program with a credential is told in JSON what is wrong. */
export function isBrowser({ headers: sent }: Request): boolean {
  return (sent.get('accept')?.includes('text/html') ?? false) && !sent.has('authorization') && !sent.has('x-api-key');
}

/** For a browser where everybody has to say who they are: what this is, and a field for a key. */
export function signInReply(ways: WaysIn | undefined, refusal: Readonly<Record<string, string>>): Response {
  return new Response(signInPage(ways), { status: 401, headers: { ...refusal, ...headers } });
}

/** What the page runs; see docs/decisions/0013-no-session-for-pages.md. */
export function scriptReply(): Response {
  return new Response(signInScript, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    },
  });
}

function signInPage({ keys, issuers: urls }: Pick<WaysIn, 'keys' | 'issuers'> = { keys: false, issuers: [] }): string {
  const issuers = urls.flatMap((url) => URL.parse(url)?.host ?? []);
  const what = keys && issuers.length > 0 ? 'Key or access token' : keys ? 'Key' : 'Access token';
  return page(
    'Sign in',
    `<h1>This is a Sluice gateway</h1>
<p>It turns many MCP servers and n8n into one MCP server. Enter a ${what.toLowerCase()} to see its status.</p>
<form>
<label class="field" for="key">${what}</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" autofocus required>
<p class="warn" role="alert" hidden></p>
<div class="actions"><button class="main" disabled>Show the status</button></div>
</form>
<noscript><p class="below warn">This page needs JavaScript to send the key in a header. Without it: <code>sluice status</code>.</p></noscript>
<p class="quiet below">It needs the scope <code>health:check</code>. Nothing is stored: when you leave the page, it is forgotten.</p>
${keys ? '<p class="quiet">No key yet? Run <code>sluice keys create --name me --scopes health:check</code> on the machine of the gateway.</p>' : ''}
${issuers.length > 0 ? `<p class="quiet">MCP clients sign in by themselves at ${issuers.map((host) => `<b>${escaped(host)}</b>`).join(' or ')}: give them the address of this gateway with <code>/mcp</code> behind it.</p>` : ''}
<p class="quiet">On that machine <code>sluice status</code> needs no key.</p>`,
    SIGN_IN_SCRIPT.slice(1),
  );
}
