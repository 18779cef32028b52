/** `12 messages (10 ready, 2 unacknowledged)` */
export function messagesIn(ready: number | null | undefined, unacknowledged: number | null | undefined): string {
  if (typeof ready !== 'number') return 'an unknown number of messages';
  const all = ready + (unacknowledged ?? 0);
  if (all === 0) return 'no messages';
  const many = all === 1 ? '1 message' : `${all} messages`;
  return unacknowledged ? `${many} (${ready} ready, ${unacknowledged} unacknowledged)` : many;
}
