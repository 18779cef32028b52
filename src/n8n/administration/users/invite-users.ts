import { z } from 'zod';
import { someOf } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import { n8nTool } from '../../tool.ts';
import { fitted, moreOutput } from '../fitted.ts';
import { roleInput, roleNamed } from './user-input.ts';

export const inviteUsers = n8nTool({
  name: 'n8n_invite_users',
  title: 'Invite users',
  description:
    'Invites people to an n8n. n8n e-mails them if it can; otherwise copy the invite link in n8n under Settings > Users.',
  effect: 'create',
  confirms: true,
  phrases:
    'invite a user; add a colleague to n8n; create an n8n account for somebody; invite people by e-mail; new user; give somebody access to n8n; sign up a new employee; onboard a team member to n8n; create several users; send an invitation; let her in to our n8n; register a user; add an admin',
  tags: ['users'],
  input: {
    users: z
      .array(
        z.strictObject({
          email: z.email().max(254).describe('E-mail address'),
          role: roleInput('member (default) or admin').optional(),
        }),
      )
      .min(1)
      .max(100)
      .describe('Whom to invite'),
  },
  output: z.object({
    invited: z.array(z.object({ id: z.string(), email: z.string(), role: z.string().optional(), mailed: z.boolean() })),
    failed: z.array(z.object({ email: z.string(), error: z.string() })).optional(),
    more: moreOutput,
    note: z.string().optional(),
  }),
  examples: [{ title: 'A member', arguments: { users: [{ email: 'ada@example.com', role: 'member' }] } }],
  async preview({ users }, { client }) {
    const named = users.map(({ email, role }) => `${email} as ${roleNamed('global', role ?? 'member')}`);
    return `It invites to n8n (${client.name}): ${someOf(named, 20)}.`;
  },
  async run({ users }, { client }, { signal }) {
    const body = users.map(({ email, role }) => ({ email, role: roleNamed('global', role ?? 'member') }));
    signal.throwIfAborted();
    return outcomeOf(users, await client.users.invite(body));
  },
});

/** n8n's answer has an invite link. Whoever has it can take the account, so it is not passed on. */
function outcomeOf(
  users: readonly { readonly email: string }[],
  answers: Awaited<ReturnType<N8nClient['users']['invite']>>,
) {
  const invited = answers
    .filter(({ error }) => !error)
    .map(({ user }) => ({
      id: user.id,
      email: user.email,
      ...(user.role && { role: user.role }),
      mailed: user.emailSent === true,
    }));
  const answered = new Set(answers.map(({ user }) => user.email.toLowerCase()));
  const failed = [
    ...answers.flatMap(({ user, error }) => (error ? [{ email: user.email, error }] : [])),
    ...users
      .filter(({ email }) => !answered.has(email.toLowerCase()))
      .map(({ email }) => ({ email, error: 'n8n did not invite this address: it has an account already.' })),
  ];
  const unsent = invited.some(({ mailed }) => !mailed);
  const { lists, ...more } = fitted({ failed, invited });
  return {
    invited: lists.invited,
    ...(lists.failed.length > 0 && { failed: lists.failed }),
    ...more,
    ...(unsent && { note: 'n8n sent no e-mail. Copy the invite link in n8n under Settings > Users and pass it on.' }),
  };
}
