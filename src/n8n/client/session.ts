import { AppError } from '../../kernel/errors.ts';
import { errorFrom } from './http-errors.ts';
import type { Answer, Ask } from './answer.ts';
import type { N8nHttp } from './http.ts';

export interface Login {
  readonly email: string;
  readonly password: string;
}

/** Requests that need a signed-in user of n8n. Signs in on first use, and again when n8n no longer knows the session. */
export function createSession(http: N8nHttp, login: Login | undefined) {
  let cookie: Promise<string> | undefined;

  async function signIn(): Promise<string> {
    if (!login) {
      throw new AppError(
        'unsupported',
        `This needs a login to n8n: its public API cannot do it. Add n8n.${http.address.name}.login: { email, password } to the configuration. A login with SSO or a second factor does not work.`,
      );
    }
    const body = { emailOrLdapLoginId: login.email, password: login.password };
    // Repeatable, because n8n may just have closed the idle connection that this request uses.
    const answer = await http.send('POST', '/rest/login', { body, repeatable: true });
    if (answer.status !== 200) {
      const { message } = errorFrom(http.address, answer, 'POST', '/rest/login');
      const why =
        answer.status === 401 ? 'n8n does not accept the email and password (or wants a second factor)' : message;
      throw new AppError('unauthenticated', `The login to n8n (${http.address.name}) failed: ${why}.`);
    }
    return answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
  }

  /** Takes the whole path, `/rest` included. */
  async function sendTo(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    for (let fresh = cookie === undefined; ; fresh = true) {
      cookie ??= signIn();
      const mine = cookie;
      const held = await mine.catch((error: unknown) => {
        if (cookie === mine) cookie = undefined;
        throw error;
      });
      const answer = await http.send(method, path, { ...ask, headers: { ...ask.headers, cookie: held } });
      if (answer.status !== 401 || fresh) return answer;
      if (cookie === mine) cookie = undefined;
    }
  }

  const send = (method: string, path: string, ask: Ask = {}) => sendTo(method, `/rest${path}`, ask);

  return {
    possible: login !== undefined,
    send,
    sendTo,
    /** n8n wraps these answers in `data`. */
    async ask(method: string, path: string, ask: Ask = {}): Promise<unknown> {
      const answer = await send(method, path, ask);
      if (answer.status < 200 || answer.status >= 300) throw errorFrom(http.address, answer, method, `/rest${path}`);
      const { body } = answer;
      return typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
    },
  };
}
