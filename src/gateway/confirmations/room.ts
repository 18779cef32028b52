import type { Person, Waiting, WaitingRoom } from '../../host/waiting.ts';
import type { Callable } from '../../kernel/callable.ts';
import { denial } from '../../kernel/call.ts';
import { AppError } from '../../kernel/errors.ts';
import { holdsScope, type Principal } from '../../kernel/principal.ts';
import type { GatewayEvents } from '../facts.ts';
import { type Desk, gone, type Listed } from './desk.ts';

interface RoomDeps {
  readonly desk: Desk;
  readonly events: GatewayEvents;
  find(tool: string): Callable | undefined;
  redact(text: string): string;
}

const deciders = {
  person: 'Only a person can approve it.',
  anybody: 'Its user can also confirm it in the client.',
};

/** Calls that wait for a confirmation: admins see all of them, others their own. */
export function confirmationsRoom({ desk, events, find, redact }: RoomDeps): WaitingRoom {
  /** What this caller may see: of the same call, asked several times, the last. */
  async function visible(principal: Principal): Promise<Listed[]> {
    const isAdmin = holdsScope(principal, 'admin');
    const newest = new Map<string, Listed>();
    for (const call of await desk.list())
      if ((isAdmin || call.principal === principal.id) && !newest.has(call.binding)) newest.set(call.binding, call);
    return [...newest.values()];
  }

  /** Why this caller may not approve a call. */
  function hindrance({ tool, need, principal: asker }: Listed, principal: Principal, person: Person) {
    const known = find(tool);
    if (!known) return `${tool} does not exist any more.`;
    const denied = denial(principal, known, 'see');
    if (denied) return denied.message;
    if (principal.readOnly) return 'Your key is read-only.';
    if (need === 'anybody' || person === 'in person') return undefined;
    if (person === undefined) return 'Only a person can approve it, in the console.';
    if (asker === principal.id)
      return 'You are signed in with the key that asks for it. Another admin has to approve it, with a key of their own.';
    return undefined;
  }

  return {
    async list(principal, person) {
      return (await visible(principal)).map((call): Waiting => {
        const why = hindrance(call, principal, person);
        return {
          id: call.id,
          kind: 'confirmation',
          title: `May ${call.caller} call ${call.tool}?`,
          detail: `${call.says ?? 'It may change or delete things for good.'} ${deciders[call.need]}`,
          by: call.caller,
          since: new Date(call.asked).toISOString(),
          expires: new Date(call.expires).toISOString(),
          data: JSON.parse(call.arguments) as unknown,
          decides: why === undefined,
          ...(why !== undefined && { refuses: true, why }),
        };
      });
    },
    async decide(id, { approve, note }, principal, person) {
      const call = (await visible(principal)).find((one) => one.id === id);
      if (!call) throw gone();
      const why = approve ? hindrance(call, principal, person) : undefined;
      if (why !== undefined) throw new AppError('forbidden', why);
      await (approve ? desk.approve(call) : desk.refuse(call, note));
      const { tool, caller, principal: asker } = call;
      events.record({
        type: 'gateway.confirmation_decided',
        tool,
        caller: asker,
        approved: approve,
        ...(note && { note: redact(note) }),
        principal: principal.id,
      });
      return approve
        ? `You approved ${tool}. It runs when ${caller} repeats the call.`
        : `You refused ${tool}. ${caller} is told so when it repeats the call.`;
    },
  };
}
