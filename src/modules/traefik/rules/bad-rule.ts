/** Traefik refuses this rule, too. */
export class BadRule extends Error {
  override readonly name = 'BadRule';
}
