import { AppError } from '../../kernel/errors.ts';
import { own } from '../../kernel/own.ts';
import type { RabbitMq } from './connection.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Refuses a queue that would pass its dead letters to what is out of reach. */
export function needDeadLetterReach(rabbit: RabbitMq, args: Arguments): void {
  const exchange = nameIn(args, 'x-dead-letter-exchange');
  if (exchange === undefined) return;
  if (exchange !== '') return rabbit.writableExchanges.need(exchange);
  // Without a key, a message keeps its own, which may be any queue's name.
  rabbit.queues.need(nameIn(args, 'x-dead-letter-routing-key') ?? '*');
}

/** Refuses an exchange that would pass on what it cannot route to one that is out of reach. */
export function needAlternateReach(rabbit: RabbitMq, args: Arguments): void {
  const exchange = nameIn(args, 'alternate-exchange');
  if (exchange !== undefined) rabbit.writableExchanges.need(exchange);
}

function nameIn(args: Arguments, argument: string): string | undefined {
  const name = own(args, argument);
  if (name === undefined || typeof name === 'string') return name;
  throw new AppError('invalid_input', `${argument} must be a text.`);
}
