import type { GatewayStatus } from '../status/status.ts';
import { shortDuration } from '../../host/short-duration.ts';
import { firstLine } from '../../cli/table.ts';

type Events = NonNullable<GatewayStatus['events']>;
type Webhook = NonNullable<Events['webhooks']>[number];
type Watched = NonNullable<Events['watch']>[number];

/** A line per destination and source of events; problems come first. */
export function eventLines(events: GatewayStatus['events'], now: number): string[] {
  const { webhooks = [], watch = [] } = events ?? {};
  return [
    ...webhooks.map((webhook) => `webhook ${webhook.name} (${webhook.host}): ${webhookText(webhook, now)}`),
    ...watch.map((file) => `watching ${file.file}: ${watchText(file)}`),
  ];
}

function webhookText({ state, problem, waiting, delivered, dead, skipped, full }: Webhook, now: number): string {
  return [
    ...(full ? ['FULL, new events are not sent'] : []),
    ...(problem ? [`failing for ${shortDuration(now - Date.parse(problem.since))}: ${firstLine(problem.reason)}`] : []),
    ...(state === 'elsewhere' ? ['another process delivers'] : []),
    ...(dead > 0 ? [`${dead} set aside (\`sluice webhooks dead\`)`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `${waiting} waiting, ${delivered} delivered`,
  ].join('; ');
}

function watchText({ state, problem, events, behind, bad, tooLong }: Watched): string {
  return [
    ...(problem === undefined ? [] : [`failing: ${firstLine(problem)}`]),
    ...(state === 'missing' ? ['not there yet'] : []),
    ...(state === 'elsewhere' ? ['another replica reads it'] : []),
    ...(bad > 0 ? [`${bad} bad lines`] : []),
    ...(tooLong > 0 ? [`${tooLong} too long`] : []),
    `${events} events${behind > 0 ? `, ${behind} bytes behind` : ''}`,
  ].join('; ');
}
