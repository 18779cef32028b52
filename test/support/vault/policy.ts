/** Policies as Vault has them, in their JSON form: capabilities by path, the most specific path wins. */
import { z } from 'zod';

export const policyBody = z.strictObject({
  path: z.record(z.string(), z.strictObject({ capabilities: z.array(z.string()).min(1) })),
});
export type Policy = z.output<typeof policyBody>;

/** What every token may do, from Vault's own `default`. */
export const defaultPolicy: Policy = {
  path: {
    'auth/token/lookup-self': { capabilities: ['read'] },
    'auth/token/renew-self': { capabilities: ['update'] },
    'sys/capabilities-self': { capabilities: ['update'] },
  },
};

export function capabilitiesAt(policies: readonly Policy[], path: string): string[] {
  const rules = policies.flatMap((policy) => Object.entries(policy.path));
  const fitting = rules.filter(([rule]) => fits(rule, path)).sort(([a], [b]) => weightOf(b) - weightOf(a));
  const [best] = fitting;
  if (!best) return ['deny'];
  const all = fitting.filter(([rule]) => rule === best[0]).flatMap(([, { capabilities }]) => capabilities);
  return all.includes('deny') ? ['deny'] : [...new Set(all)].sort();
}

/** Whether a policy is about anything at or below this mount, which ends with a slash. */
export const touches = (policies: readonly Policy[], mount: string): boolean =>
  policies.some((policy) =>
    Object.entries(policy.path).some(
      ([rule, { capabilities }]) =>
        !capabilities.includes('deny') &&
        (rule.startsWith(mount) || (rule.endsWith('*') && mount.startsWith(rule.slice(0, -1)))),
    ),
  );

function fits(rule: string, path: string): boolean {
  const open = rule.endsWith('*');
  const pattern = (open ? rule.slice(0, -1) : rule).split('+').map((text) => RegExp.escape(text));
  return new RegExp(`^${pattern.join('[^/]+')}${open ? '' : '$'}`).test(path);
}

/** A whole path comes before one with `+` or `*`, a longer one before a shorter one. */
const weightOf = (rule: string): number => rule.length * 2 + (/[+*]/.test(rule) ? 0 : 10_000);
