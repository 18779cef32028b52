import { own } from '../../kernel/own.ts';
import type { RabbitMq } from './connection.ts';

/** Refuses a queue that would pass its dead letters to what is out of reach. */
export function needDeadLetterReach(rabbit: RabbitMq, args: Readonly<Record<string, unknown>>): void {
  const exchange = own(args, 'x-dead-letter-exchange');
  if (exchange === undefined) return;
  if (exchange !== '') return rabbit.writableExchanges.need(String(exchange));
  const key = own(args, 'x-dead-letter-routing-key');
  // Without a key, a message keeps its own, which may be any queue's name.
  rabbit.queues.need(key === undefined ? '*' : String(key));
}

/** Refuses an exchange that would pass on what it cannot route to one that is out of reach. */
export function needAlternateReach(rabbit: RabbitMq, args: Readonly<Record<string, unknown>>): void {
  const exchange = own(args, 'alternate-exchange');
  if (exchange !== undefined) rabbit.writableExchanges.need(String(exchange));
}
