import { datasets, info } from './answers.ts';
import type { Dify } from './connection.ts';

/** Such as `Dify 1.9.1, 2 apps, 5 datasets`. Every key is tried. */
export async function check(dify: Dify, signal: AbortSignal): Promise<string> {
  const apps = dify.appNames.map((app) => dify.app(app).get(info, ['info'], { signal }));
  const knowledge = dify.hasKnowledge
    ? dify.knowledge().get(datasets, ['datasets'], { query: { limit: 1 }, signal })
    : undefined;
  const [version, , found] = await Promise.all([dify.version(signal), Promise.all(apps), knowledge]);
  return [
    `Dify${version === undefined ? '' : ` ${version}`}`,
    `${apps.length} app${apps.length === 1 ? '' : 's'}`,
    ...(found ? [`${found.total ?? found.data.length} datasets`] : []),
  ].join(', ');
}
