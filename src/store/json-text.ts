import { AppError, messageOf } from '../kernel/errors.ts';

/** JSON of a value; `what` names it if it has none. */
export function jsonText(what: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new AppError('invalid_input', `${what} cannot be stored as JSON: ${messageOf(error)}`, { cause: error });
  }
  if (text === undefined)
    throw new AppError('invalid_input', `${what} cannot be written as JSON: use an object or a plain value.`);
  return text;
}
