import { AppError, messageOf, toAppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import type { Account } from '../login/account.ts';
import { openReceiver } from '../login/loopback.ts';
import type { Probed } from '../login/probe.ts';
import type { Begun } from '../login/sign-in.ts';
import { exit } from './frame.ts';
import type { Terminal } from '../host/terminal.ts';

export interface LoginDeps {
  /** A server of the configuration, and the login at it. */
  open(server: string, config: string | undefined): Promise<LoginPlace>;
  /** Whether a browser could be opened. */
  openBrowser(url: string): Promise<boolean>;
}

export interface LoginPlace extends AsyncDisposable {
  readonly account: Account;
  /** What the server says without a login. */
  probe(): Promise<Probed>;
}

const WAIT_MS = 10 * 60_000;

export function loginCommand(deps: LoginDeps, terminal: Terminal): Command {
  async function remove(server: string, account: Account): Promise<number> {
    const was = await account.remove();
    terminal.say(was ? `Signed out of ${server}.` : `There is no login at ${server}.`);
    return exit.done;
  }

  async function signIn(server: string, { account, probe }: LoginPlace, browser: boolean): Promise<number> {
    const { status, challenge } = await probe();
    account.heard(challenge);
    if (account.target().oauth?.grant === 'client_credentials') {
      await account.renew();
      terminal.say(`${server} gave the gateway a token: it signs in by itself, there is nothing to do.`);
      return exit.done;
    }
    if (status !== 401 && !(await account.isAnnounced()))
      throw new AppError('conflict', `${server} asks for no login (HTTP ${status}).`);
    const port = account.target().oauth?.callbackPort;
    await using receiver = await openReceiver(port);
    const begun = await account.begin({ redirect: receiver.url, lasting: port !== undefined });
    const opened = browser && (await deps.openBrowser(begun.url));
    terminal.say(opened ? 'Your browser opens. If it does not, open this link:' : 'Open this link in a browser:');
    terminal.print(begun.url);
    const stop = new AbortController();
    try {
      const answer = await Promise.race([
        receiver.answer(begun.attempt.state),
        pasted(begun, stop.signal),
        timeout(stop.signal),
      ]);
      const issuer = await account.finish(begun, answer);
      await receiver.show({
        title: `Signed in to ${server}`,
        text: `${issuer} let Sluice in. You can close this page.`,
      });
      terminal.say(`Signed in to ${server} at ${issuer}. A gateway that runs here goes on with it at once.`);
      return exit.done;
    } catch (error) {
      await receiver.show({ title: 'Not signed in', text: toAppError(error).message, status: 400 });
      throw error;
    } finally {
      stop.abort();
    }
  }

  /** For a browser elsewhere: it cannot come back to this machine, but its address can be copied. */
  async function pasted({ attempt }: Begun, signal: AbortSignal): Promise<URLSearchParams> {
    while (terminal.interactive) {
      const text = await terminal.ask('Is the browser on another machine? Paste the address it ends at here: ', {
        signal,
      });
      if (text === undefined) break;
      const answer = URL.parse(text)?.searchParams;
      if (answer?.get('state') === attempt.state) return answer;
      if (text !== '') terminal.say(`That is not it: it begins with ${attempt.redirect}?`);
    }
    return new Promise(() => {});
  }

  return {
    name: 'login',
    summary: 'Signs in to a server that wants a login (OAuth)',
    usage: 'sluice login SERVER [--config F] [--no-browser] [--remove]',
    example: 'sluice login github',
    positionals: [1, 1],
    options: {
      config: {
        type: 'string',
        short: 'c',
        describe: 'The configuration file (sluice.yaml here, else in the data directory)',
      },
      'no-browser': { type: 'boolean', describe: 'Print the link only' },
      remove: { type: 'boolean', describe: 'Sign out, and forget the login' },
    },
    async run({ values, positionals: [server = ''] }) {
      await using place = await deps.open(server, values.config as string | undefined);
      try {
        return values.remove
          ? await remove(server, place.account)
          : await signIn(server, place, values['no-browser'] !== true);
      } catch (error) {
        throw new AppError(toAppError(error).code, `not signed in to ${server}: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

function timeout(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(new AppError('timeout', `nobody signed in within ${WAIT_MS / 60_000} minutes.`)),
      WAIT_MS,
    );
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
