import type { Schema, Shape, ShapeOf } from '../schema/shape.ts';

/** What every input of the form gets. */
export interface InputProps<S extends Shape = Shape> {
  readonly shapeOf: ShapeOf;
  readonly schema: Schema;
  readonly shape: S;
  /** Of the element that is labelled. */
  readonly id: string;
  /** Of the element that describes it. */
  readonly hint: string;
  readonly label: string;
  /** Says what it is where no label does. */
  readonly name?: string;
  readonly required: boolean;
  /** Undefined if it is left out. */
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  /** How many objects and lists are around it. */
  readonly level: number;
}

export type Of<K extends Shape['kind']> = InputProps<Extract<Shape, { kind: K }>>;
