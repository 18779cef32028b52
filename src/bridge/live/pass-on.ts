import type { CallContext, CallParams, Entry, Outcome } from '../../kernel/source.ts';

/** Calls the tool that an entry stands for, as if the caller had named it. */
export function passOn(real: Entry, params: CallParams, context: CallContext): Promise<Outcome> {
  const { arguments: given } = params;
  const meant = given && (real.meant?.(given) ?? given);
  return real.call({ ...params, name: real.wire.name, ...(meant && { arguments: meant }) }, context);
}
