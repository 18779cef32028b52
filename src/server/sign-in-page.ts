import { hash } from 'node:crypto';
import { escaped, page, pageHeaders, pageStyle } from '../auth/pages.ts';
import type { WaysIn } from './security.ts';
import { signInScript } from './sign-in-script.ts';
import { statusStyle } from './status-page.ts';

export const SIGN_IN_SCRIPT = '/sign-in.js';

const hashes = [pageStyle, statusStyle].map((style) => `'sha256-${hash('sha256', style, 'base64')}'`).join(' ');

/** Only our script runs, it may connect only to us, and forms cannot be submitted. */
const headers: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': `default-src 'none'; style-src ${hashes}; script-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  vary: 'Accept, Authorization, X-API-Key',
};

/** Whether a person opened the gateway in a browser. Programs with a credential get JSON errors instead. */
export function isBrowser({ headers: sent }: Request): boolean {
  return (sent.get('accept')?.includes('text/html') ?? false) && !sent.has('authorization') && !sent.has('x-api-key');
}

/** For browsers when authentication is on: says what this is and offers a field for a key. */
export function signInReply(ways: WaysIn | undefined, refusal: Readonly<Record<string, string>>): Response {
  return new Response(signInPage(ways), { status: 401, headers: { ...refusal, ...headers } });
}

/** The script of the page. See docs/decisions/0013-no-session-for-pages.md. */
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
<noscript><p class="below warn">This page needs JavaScript to send the key in a header. Without JavaScript, use <code>sluice status</code>.</p></noscript>
<p class="quiet below">It needs the scope <code>health:check</code>. The page does not store it.</p>
${keys ? `<p class="quiet">No key yet? Run <code>sluice keys create --name me --scopes health:check</code> on the gateway's machine.</p>` : ''}
${issuers.length > 0 ? `<p class="quiet">MCP clients sign in on their own at ${issuers.map((host) => `<b>${escaped(host)}</b>`).join(' or ')}: give them the URL of this gateway followed by <code>/mcp</code>.</p>` : ''}
<p class="quiet">On that machine <code>sluice status</code> needs no key.</p>`,
    SIGN_IN_SCRIPT.slice(1),
  );
}
