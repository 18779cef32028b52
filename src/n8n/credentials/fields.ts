/** One field of a credential type. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required?: boolean;
  readonly options?: unknown[];
  /** It is required if these other fields have these values. */
  readonly required_when?: Record<string, unknown>;
}

type Schema = Record<string, unknown>;

/** n8n's schema of a credential type as a short list of fields. */
export function fieldsOf(schema: Schema): Field[] {
  const required = new Set(list(schema.required));
  const conditions = conditionsOf(schema);
  return Object.entries(record(schema.properties)).flatMap(([name, given]) => {
    const { type, enum: options } = record(given);
    // A hint in n8n's editor, which takes no value.
    if (type === 'notice') return [];
    const condition = conditions.find((one) => one.required.includes(name));
    return [
      {
        name,
        type: typeof type === 'string' ? type : 'any',
        ...(required.has(name) && { required: true }),
        ...(Array.isArray(options) && { options: options as unknown[] }),
        ...(condition && { required_when: condition.when }),
      },
    ];
  });
}

export interface Condition {
  readonly when: Record<string, unknown>;
  readonly required: readonly string[];
}

/** Fields that are required only with certain values of others. n8n itself checks conditions of any other form. */
export function conditionsOf(schema: Schema): Condition[] {
  return list(schema.allOf).flatMap((given) => {
    const { if: when, then } = record(given);
    const wanted = Object.entries(record(record(when).properties)).map(([name, rule]) => [name, record(rule).enum]);
    if (wanted.length === 0 || wanted.some(([, values]) => !Array.isArray(values) || values.length !== 1)) return [];
    const required = list(record(then).allOf).flatMap((one) => list(record(one).required) as string[]);
    const values = Object.fromEntries(wanted.map(([name, options]) => [name, (options as unknown[])[0]]));
    return [{ when: values, required }];
  });
}

const record = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
