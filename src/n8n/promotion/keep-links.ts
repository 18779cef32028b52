import { composed, contentHash, hashOf } from './compose.ts';
import type { Link } from './link.ts';
import { needKey } from './needs.ts';
import { type Made, type Plan, resolver } from './plan.ts';
import type { PromotionRecords } from './records.ts';
import { readWorkflows } from './side.ts';

/** Keeps what the promotion learned: what stands for what, and how both sides are now. */
export async function keepLinks(plan: Plan, made: Made, records: PromotionRecords): Promise<void> {
  const { source, target, needs, workflows } = plan;
  // If the target is away now, everything is done all the same. The next promotion then compares again.
  const after = await readWorkflows(target.client, new AbortController().signal).catch(() => undefined);
  const links = new Map<string, Link>();
  for (const need of needs.values()) {
    const to = made.get(need.key) ?? (need.state === 'mapped' ? need.to : undefined);
    if (to && need.item.id !== '') links.set(need.key, { kind: need.kind, ...need.item, to });
  }
  const known = new Map(plan.links.map((link) => [JSON.stringify([link.kind, link.id]), link]));
  for (const [key, link] of links) {
    const before = known.get(JSON.stringify([link.kind, link.id]));
    if (before?.to.id === link.to.id) links.set(key, { ...before, ...link });
  }
  const resolve = resolver(plan, made, 'none');
  for (const { source: one, present, detailed } of workflows) {
    const key = needKey('workflow', one.id);
    const id = made.get(key)?.id ?? present?.id;
    const now = id === undefined ? undefined : after?.byId.get(id);
    // Nothing was read because nothing had changed.
    if (!now || !detailed) continue;
    links.set(key, {
      kind: 'workflow',
      id: one.id,
      name: one.name,
      to: { id: now.id, name: now.name },
      last: {
        source: { updatedAt: one.updatedAt },
        written: contentHash(composed(one, { resolve, pinData: false })),
        target: {
          updatedAt: now.updatedAt,
          versionId: now.versionId ?? undefined,
          content: contentHash(now),
          description: hashOf(one.description ?? ''),
        },
      },
    });
  }
  await records.putLinks(source.client.name, target.client.name, [...links.values()]);
}
