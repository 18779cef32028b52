import { brief } from '../text-part.ts';
import type { Parameters } from './answers.ts';

/** The inputs that an app takes: what its form has. */
export function formOf({ user_input_form }: Parameters) {
  return (user_input_form ?? []).flatMap((entry) => {
    const [kind, field] = Object.entries(entry)[0] ?? [];
    if (kind === undefined || !field?.variable) return [];
    return [
      {
        name: brief(field.variable, 80),
        type: brief(kind, 60),
        required: field.required ?? false,
        ...(field.label && field.label !== field.variable && { label: brief(field.label, 80) }),
        ...(field.options &&
          field.options.length > 0 && { options: field.options.slice(0, 10).map((one) => brief(one, 50)) }),
        ...(typeof field.max_length === 'number' && { max_length: field.max_length }),
      },
    ];
  });
}
