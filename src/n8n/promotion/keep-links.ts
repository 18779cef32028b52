import { composed, contentHash, hashOf } from './compose.ts';
import type { Link } from './link.ts';
import { needKey } from './needs.ts';
import { type Made, type Plan, resolver } from './plan.ts';
import type { PromotionRecords } from './records.ts';
import { readWorkflows } from './side.ts';
import type { Written } from './write.ts';

/** Keeps what the promotion learned: what stands for what, and how both sides are now. */
export async function keepLinks(
  plan: Plan,
  made: Made,
  written: ReadonlyMap<string, Written>,
  records: PromotionRecords,
): Promise<void> {
  const { source, target, needs, workflows } = plan;
  // If the target is away now, everything is done all the same. The next promotion then compares again.
  const after = await readWorkflows(target.client, new AbortController().signal).catch(() => undefined);
  const links = new Map<string, Link>();
  for (const need of needs.values()) {
    const to = made.get(need.key) ?? (need.state === 'mapped' ? need.to : undefined);
    if (to && need.item.id !== '') {
      links.set(need.key, { kind: need.kind, ...need.item, to, ...(made.has(need.key) && { made: true as const }) });
    }
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
    const { content, version } = written.get(one.id) ?? {
      content: contentHash(present ?? now),
      version: (present ?? now).versionId ?? undefined,
    };
    // If somebody has changed it already, the next promotion has to find that out.
    const isOurs = contentHash(now) === content;
    links.set(key, {
      kind: 'workflow',
      id: one.id,
      name: one.name,
      to: { id: now.id, name: now.name },
      last: {
        source: { updatedAt: one.updatedAt },
        written: contentHash(composed(one, { resolve, pinData: false })),
        target: {
          updatedAt: isOurs ? now.updatedAt : undefined,
          versionId: isOurs ? (now.versionId ?? undefined) : version,
          content,
          description: hashOf(one.description ?? ''),
        },
      },
    });
  }
  await records.putLinks(source.client.name, target.client.name, [...links.values()]);
}
