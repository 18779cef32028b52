import { createServer, type ServerResponse } from 'node:http';
import { listen, portOf } from '../host/listen.ts';
import { AppError } from '../kernel/errors.ts';
import { type LoginPage, loginPage } from './page.ts';

/** Receives the browser on this machine when it comes back from signing in. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** The parameters it came back with, for the login with this state. Other requests get a 404. */
  answer(state: string): Promise<URLSearchParams>;
  /** Shows the user the final page. */
  show(page: LoginPage): Promise<void>;
}

const HOST = '127.0.0.1';
const PATH = '/callback';

export async function openReceiver(port = 0): Promise<Receiver> {
  const { promise, resolve } = Promise.withResolvers<{ answer: URLSearchParams; response: ServerResponse }>();
  let wanted: string | undefined;
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', `http://${HOST}`);
    if (request.method === 'GET' && url?.pathname === PATH && url.searchParams.get('state') === wanted)
      return resolve({ answer: url.searchParams, response });
    void send(response, { title: 'Not found', text: 'No sign-in is waiting for this request.', status: 404 });
  });
  const why = (error: NodeJS.ErrnoException) =>
    new AppError(
      'conflict',
      error.code === 'EADDRINUSE'
        ? `Port ${port} is in use. Stop the program that uses it, or choose another "oauth.callbackPort".`
        : `Cannot listen on ${HOST}:${port}: ${error.message}`,
    );
  await listen(server, { port, host: HOST }, why);
  let shown: ServerResponse | undefined;
  return {
    url: `http://${HOST}:${portOf(server)}${PATH}`,
    async answer(state) {
      wanted = state;
      const { answer, response } = await promise;
      shown = response;
      return answer;
    },
    async show(page) {
      if (shown) await send(shown, page);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function send(response: ServerResponse, page: LoginPage): Promise<void> {
  const { status, headers, body } = prepared(page);
  response.writeHead(status, { ...headers, connection: 'close' });
  const text = await body;
  await new Promise<void>((done) => response.end(text, done));
}

function prepared(page: LoginPage) {
  const made = loginPage(page);
  return { status: made.status, headers: Object.fromEntries(made.headers), body: made.text() };
}
