import { z } from 'zod';

export const distances = ['cosine', 'l2', 'inner_product'] as const;

export type Distance = (typeof distances)[number];

interface Way {
  readonly operator: string;
  /** The end of the operator class: `vector_cosine_ops`. */
  readonly operators: string;
  /** Larger is nearer. */
  score(distance: number): number;
}

export const ways: Readonly<Record<Distance, Way>> = {
  cosine: { operator: '<=>', operators: 'cosine_ops', score: (distance) => 1 - distance },
  l2: { operator: '<->', operators: 'l2_ops', score: (distance) => 1 / (1 + distance) },
  // The operator gives the negative product, so that the nearest comes first.
  inner_product: { operator: '<#>', operators: 'ip_ops', score: (distance) => -distance },
};

export const isDistance = (given: unknown): given is Distance => distances.some((one) => one === given);

/** The distance that an index serves, by its operator class. */
export const distanceOf = (operatorClass: string): Distance | undefined =>
  distances.find(
    (one) => operatorClass === `vector_${ways[one].operators}` || operatorClass === `halfvec_${ways[one].operators}`,
  );

export const distanceInput = z.enum(distances);
