import { exit } from '../../cli/frame.ts';
import { configOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Verbs } from '../../kernel/command.ts';
import { resetOwner } from '../owner.ts';

/** Everything that lets a client in. Deleting it locks the client out within a minute. */
const GRANTED = ['Grant', 'RefreshToken', 'AuthorizationCode', 'Interaction', 'Client'];

export function ownerCommand({ store: open, terminal }: Pick<Place, 'store' | 'terminal'>): Verbs {
  return {
    example: 'sluice owner reset',
    verbs: {
      reset: {
        summary: 'Sets a new password and prints it, once',
        usage: '[--revoke]',
        example: 'sluice owner reset --revoke',
        options: {
          revoke: { type: 'boolean', describe: 'Also revoke what was granted: every client must sign in again' },
          config: configOption,
        },
        async run({ values }) {
          await using store = await open(textIn(values, 'config'));
          const password = await resetOwner(store.settings);
          for (const kind of ['Session', ...(values.revoke ? GRANTED : [])]) await store.oauth.deleteKind(kind);
          terminal.print(password);
          terminal.say(
            `The password is shown only now. Browsers are signed out${values.revoke ? ', and every client must sign in again' : '; clients keep their access (--revoke ends it)'}.\n` +
              'A password in the configuration (auth.oauth.builtin.password) overrides it.',
          );
          return exit.done;
        },
      },
    },
  };
}
