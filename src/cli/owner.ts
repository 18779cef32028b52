import { resetOwner } from '../auth/owner.ts';
import type { Command } from '../kernel/command.ts';
import type { Store } from '../store/store.ts';
import { exit, UsageError } from './frame.ts';
import type { Terminal } from '../host/terminal.ts';

export interface OwnerDeps {
  /** The store of this home, whether or not a gateway runs. */
  open(): Promise<Store>;
}

/** Everything a client stands on; its next call is refused within a minute. */
const GRANTED = ['Grant', 'RefreshToken', 'AuthorizationCode', 'Interaction', 'Client'];

export function ownerCommand({ open }: OwnerDeps, terminal: Terminal): Command {
  return {
    name: 'owner',
    summary: 'Makes a new password for signing in to the built-in authorization server',
    usage: 'sluice owner reset [--revoke]',
    example: 'sluice owner reset',
    positionals: [1, 1],
    options: {
      revoke: { type: 'boolean', describe: 'Also take back what was granted: every client must ask again' },
    },
    async run({ values, positionals: [verb] }) {
      if (verb !== 'reset') throw new UsageError(`there is no \`owner ${verb}\``);
      await using store = await open();
      const password = await resetOwner(store.settings);
      for (const kind of ['Session', ...(values.revoke ? GRANTED : [])]) await store.oauth.deleteKind(kind);
      terminal.print(password);
      terminal.say(
        `This is the only time it is shown. Browsers are signed out${values.revoke ? ', and every client must ask again' : '; clients that were let in stay so (--revoke takes that back)'}.\n` +
          'A password in the configuration (auth.oauth.builtin.password) goes before it.',
      );
      return exit.done;
    },
  };
}
