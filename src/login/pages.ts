import { toAppError } from '../kernel/errors.ts';
import { redactError } from '../kernel/redact.ts';
import type { Route } from '../kernel/route.ts';
import { clientMetadata } from './client.ts';
import type { Logins } from './logins.ts';
import { loginPage } from './page.ts';

const COOKIE = 'sluice_login';

type Page = Pick<Route, 'handle'>;

/** The pages to sign in to servers behind the gateway. Their links are secret and work once. */
export function loginPages(logins: Logins, redact: (text: string) => string) {
  const open: Page = {
    async handle({ request }) {
      const ticket = new URL(request.url).searchParams.get('ticket') ?? '';
      const invited = await logins.invited(ticket);
      if (!invited) return gone();
      // A single user cannot be confused with another: skip the question.
      if (invited.isOwner) return follow(ticket);
      const { server, principal } = invited;
      return loginPage({
        title: `Sign in to ${server}?`,
        text: `Everyone who uses Sluice as ${principal.name ?? principal.id} will act with your account at ${server}. Continue only if that is you and you asked for this.`,
        go: { label: 'Continue', ticket },
      });
    },
  };
  const go: Page = {
    async handle({ request }) {
      const form = new URLSearchParams(await request.text());
      return follow(form.get('ticket') ?? '');
    },
  };
  const back: Page = {
    async handle(asked) {
      const { searchParams } = new URL(asked.request.url);
      // A server may be called "callback".
      if (searchParams.has('ticket')) return open.handle(asked);
      try {
        const { server, issuer } = await logins.finish(searchParams, cookieIn(asked.request));
        return loginPage({
          title: `Signed in to ${server}`,
          text: `${issuer} gave Sluice access. You can close this page and continue where you were.`,
        });
      } catch (error) {
        return failed(error);
      }
    },
  };
  const document: Page = {
    handle() {
      const redirect = logins.callback();
      if (redirect === undefined) return gone();
      const id = redirect.replace(/callback$/, 'client.json');
      return Response.json({ client_id: id, ...clientMetadata(redirect, 'none') });
    },
  };
  return { back, document, open, go };

  async function follow(ticket: string): Promise<Response> {
    try {
      const { url, browser } = await logins.follow(ticket);
      const back = new URL(logins.callback() ?? 'http://localhost/login/callback');
      const secure = back.protocol === 'https:' ? '; Secure' : '';
      // Behind a proxy the gateway may have a path prefix.
      const path = back.pathname.replace(/\/callback$/, '');
      return new Response(null, {
        status: 303,
        headers: {
          location: url,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'set-cookie': `${COOKIE}=${browser}; Path=${path}; Max-Age=900; HttpOnly; SameSite=Lax${secure}`,
        },
      });
    } catch (error) {
      return failed(error);
    }
  }

  function failed(error: unknown): Response {
    const { message, http } = redactError(toAppError(error), redact);
    return loginPage({ title: 'Not signed in', text: message, status: http });
  }
}

function gone(): Response {
  return loginPage({
    title: 'Not signed in',
    text: 'This link was already used or has expired. Get a new one: call the tool again, or look at gateway_status.',
    status: 404,
  });
}

function cookieIn(request: Request): string | undefined {
  const cookies = request.headers.get('cookie')?.split(/;\s*/) ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}
