export interface Compared {
  duplicateOf?: string;
  contradicts: { id: string; text: string; why: string }[];
}
export function compared(
  _text: string,
  _others: readonly { id: string; text: string; likeness: number | undefined }[],
): Compared {
  return { contradicts: [] };
}
