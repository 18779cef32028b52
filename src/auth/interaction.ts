import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { shownName } from './client-metadata.ts';
import { type CheckPassword, OWNER } from './owner.ts';
import { type Asker, consentPage, errorPage, loginPage, pageHeaders } from './pages.ts';
import { scopesAsked } from './provider.ts';

export interface InteractionDeps {
  provider: Provider;
  /** The origin of the public URL. */
  origin: string;
  csrfKey: Buffer;
  check: CheckPassword;
  /** Reports a wrong password. Waits, or returns for how many seconds further passwords are rejected. */
  failed(request: IncomingMessage, reason: string): Promise<{ retryAfter: number } | undefined>;
  /** For how many seconds passwords from this address are rejected, if they are. */
  exhausted(request: IncomingMessage): { retryAfter: number } | undefined;
}

type Details = Awaited<ReturnType<Provider['interactionDetails']>>;

const LONGEST_FORM = 16 * 1024;

/** Shows the sign-in and consent forms and handles what they submit. */
export function createInteractions({ provider, origin, csrfKey, check, failed, exhausted }: InteractionDeps) {
  const tokenOf = ({ uid, prompt }: Details) =>
    createHmac('sha256', csrfKey).update(`${uid} ${prompt.name}`).digest('base64url');

  async function askerOf({ params }: Details): Promise<Asker> {
    const client = await provider.Client.find(String(params.client_id));
    const id = String(params.client_id);
    return {
      name: shownName(client?.clientName ?? id),
      redirectUri: String(params.redirect_uri),
      ...(id.startsWith('https://') && { publishedBy: new URL(id).host }),
    };
  }

  async function show(request: IncomingMessage, response: ServerResponse, details: Details, problem?: string) {
    const asker = await askerOf(details);
    const { originalUrl } = request as IncomingMessage & { originalUrl?: string };
    const action = (originalUrl ?? request.url ?? '').split('?')[0] ?? '';
    const shared = { action, token: tokenOf(details), asker, ...(problem !== undefined && { problem }) };
    const html =
      details.prompt.name === 'login'
        ? loginPage(shared)
        : consentPage({ ...shared, resource: resourceOf(details), scopes: scopesAsked(details.params.scope) });
    response.writeHead(problem === undefined ? 200 : 400, pageHeaders).end(html);
  }

  async function signIn(request: IncomingMessage, response: ServerResponse, details: Details, password: string) {
    const blocked = exhausted(request);
    const right = blocked ? false : await check(password);
    if (right === true) {
      const result = { login: { accountId: OWNER, remember: true } };
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    }
    const wait = blocked ?? (right === 'busy' ? { retryAfter: 5 } : await failed(request, 'wrong owner password'));
    if (!wait) return show(request, response, details, 'Wrong password. Try again.');
    response.setHeader('retry-after', String(wait.retryAfter));
    const html = errorPage('too_many_attempts', `Too many attempts. Try again in ${wait.retryAfter} seconds.`);
    response.writeHead(429, pageHeaders).end(html);
  }

  async function allow(request: IncomingMessage, response: ServerResponse, details: Details, ticked: string[]) {
    const asked = scopesAsked(details.params.scope);
    const granted = asked.filter((scope) => ticked.includes(scope));
    if (granted.length === 0) return show(request, response, details, 'Select at least one, or deny.');
    const resource = resourceOf(details);
    const grant = new provider.Grant({ accountId: OWNER, clientId: String(details.params.client_id) });
    grant.addOIDCScope('openid offline_access');
    grant.addResourceScope(resource, granted.join(' '));
    const rejected = asked.filter((scope) => !granted.includes(scope));
    if (rejected.length > 0) grant.rejectResourceScope(resource, rejected.join(' '));
    const result = { consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }

  async function answer(request: IncomingMessage, response: ServerResponse, details: Details): Promise<void> {
    const form = await readForm(request);
    if (!form || !isOurs(request, origin) || !sameText(form.get('token') ?? '', tokenOf(details))) {
      const html = errorPage('invalid_request', 'This form is too old, or another page sent it.');
      response.writeHead(403, pageHeaders).end(html);
      return;
    }
    switch (form.get('do')) {
      case 'login':
        if (details.prompt.name === 'login') return signIn(request, response, details, form.get('password') ?? '');
        break;
      case 'allow':
        if (details.prompt.name === 'consent') return allow(request, response, details, form.getAll('scope'));
        break;
      case 'deny':
        return provider.interactionFinished(
          request,
          response,
          { error: 'access_denied', error_description: 'The owner denied access.' },
          { mergeWithLastSubmission: false },
        );
    }
    return show(request, response, details);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let details: Details;
    try {
      details = await provider.interactionDetails(request, response);
    } catch {
      request.resume();
      const html = errorPage('expired', 'This page has expired, or your browser blocks cookies.');
      response.writeHead(400, pageHeaders).end(html);
      return;
    }
    if (request.method === 'GET') await show(request, response, details);
    else if (request.method === 'POST') await answer(request, response, details);
    else {
      request.resume();
      response.writeHead(405, { allow: 'GET, POST' }).end();
    }
  };
}

function resourceOf({ params: { resource } }: Details): string {
  return String(Array.isArray(resource) ? resource[0] : resource);
}

/** Rejects forms from other sites: they carry another origin, or the browser marks them as cross-site. */
function isOurs({ headers }: IncomingMessage, origin: string): boolean {
  if (headers.origin !== undefined && headers.origin !== origin) return false;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LONGEST_FORM) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
