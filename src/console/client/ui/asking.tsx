import { call, Failed } from '../api.ts';
import { confirmed } from './dialog.tsx';

interface Asking {
  /** What the button says that does it. */
  readonly yes: string;
  /** The title of the question. */
  readonly title: string;
}

/** Calls one of Sluice's tools. If it must be confirmed, asks the person and repeats it. Undefined if they do not want it. */
export async function callAsking<T>(name: string, args: object, { yes, title }: Asking): Promise<T | undefined> {
  try {
    return await call<T>(name, args);
  } catch (error) {
    if (!(error instanceof Failed) || error.confirm === undefined) throw error;
    const { confirm } = error;
    const [says = ''] = error.message.split('Nothing was done yet.');
    const agreed = await confirmed({ title, yes, danger: true, text: <bdi>{says.trim()}</bdi> });
    return agreed === undefined ? undefined : call<T>(name, args, { confirm });
  }
}
