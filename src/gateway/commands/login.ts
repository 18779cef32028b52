import { exit } from '../../cli/frame.ts';
import { configOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { AppError, messageOf, toAppError } from '../../kernel/errors.ts';
import type { Account } from '../../login/account.ts';
import { openReceiver } from '../../login/loopback.ts';
import type { Begun } from '../../login/sign-in.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { openInBrowser } from './browser.ts';
import { openSigningIn, type SigningIn } from './signing-in.ts';

const WAIT_MS = 10 * 60_000;

export function loginCommand(
  place: Place<GatewayConfig>,
  openBrowser: (url: string) => Promise<boolean> = (url) => openInBrowser(url, place.env),
): Action {
  const { terminal } = place;

  async function remove(server: string, account: Account): Promise<number> {
    const was = await account.remove();
    terminal.say(was ? `Signed out of ${server}.` : `You were not signed in to ${server}.`);
    return exit.done;
  }

  async function signIn(server: string, { account, probe }: SigningIn, browser: boolean): Promise<number> {
    const { status, challenge } = await probe();
    account.heard(challenge);
    if (account.target().oauth?.grant === 'client_credentials') {
      await account.renew();
      terminal.say(`${server} gave Sluice a token. Sluice renews it by itself; there is nothing to do.`);
      return exit.done;
    }
    if (status !== 401 && !(await account.isAnnounced()))
      throw new AppError('conflict', `${server} does not ask for a login (HTTP ${status}).`);
    const port = account.target().oauth?.callbackPort;
    await using receiver = await openReceiver(port);
    const begun = await account.begin({ redirect: receiver.url, lasting: port !== undefined });
    const opened = browser && (await openBrowser(begun.url));
    terminal.say(opened ? 'Opening your browser. If it does not open, use this link:' : 'Open this link in a browser:');
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
      terminal.say(`Signed in to ${server} at ${issuer}. A running gateway uses the login at once.`);
      return exit.done;
    } catch (error) {
      await receiver.show({ title: 'Not signed in', text: toAppError(error).message, status: 400 });
      throw error;
    } finally {
      stop.abort();
    }
  }

  /** A browser on another machine cannot return to this one, but you can paste the address it ended at. */
  async function pasted({ attempt }: Begun, signal: AbortSignal): Promise<URLSearchParams> {
    while (terminal.interactive) {
      const text = await terminal.ask('Is the browser on another machine? Paste the address it ends at here: ', {
        signal,
      });
      if (text === undefined) break;
      const answer = URL.parse(text)?.searchParams;
      if (answer?.get('state') === attempt.state) return answer;
      if (text !== '') terminal.say(`That is not the address: it starts with ${attempt.redirect}?`);
    }
    return new Promise(() => {});
  }

  return {
    usage: 'SERVER [--config F] [--no-browser] [--remove]',
    example: 'sluice login github',
    positionals: [1, 1],
    options: {
      config: configOption,
      'no-browser': { type: 'boolean', describe: 'Print the link instead of opening a browser' },
      remove: { type: 'boolean', describe: 'Sign out and delete the login' },
    },
    async run({ values, positionals: [server = ''] }) {
      await using signing = await openSigningIn(place, server, textIn(values, 'config'));
      try {
        return values.remove
          ? await remove(server, signing.account)
          : await signIn(server, signing, values['no-browser'] !== true);
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
