import { call, Failed } from '../api.ts';
import { linkTo } from '../pages.ts';
import { withdraw } from '../waiting.ts';
import { confirmed } from './dialog.tsx';

interface Asking {
  /** What the button says that does it. */
  readonly yes: string;
  /** The title of the question. */
  readonly title: string;
}

/** Calls one of Sluice's tools. If it must be confirmed, asks the person and repeats it. Undefined if they do not want it. */
export const callAsking = <T,>(name: string, args: object, question: Asking): Promise<T | undefined> =>
  asking((confirm) => call<T>(name, args, { confirm }), question);

/** The same for anything that takes the token of a confirmation. */
export async function asking<T>(
  act: (confirm: string | undefined) => Promise<T>,
  { yes, title }: Asking,
): Promise<T | undefined> {
  let confirm: string | undefined;
  for (;;) {
    try {
      return await act(confirm);
    } catch (error) {
      if (!(error instanceof Failed) || error.confirm === undefined) throw error;
      ({ confirm } = error);
      const { needsPerson } = error;
      const [says = ''] = error.message.split('Nothing was done yet.');
      const text = needsPerson ? <NeedsPerson says={says.trim()} /> : <bdi>{says.trim()}</bdi>;
      const agreed = await confirmed({ title, yes: needsPerson ? 'It is approved: go on' : yes, danger: true, text });
      if (agreed !== undefined) continue;
      await withdraw(error);
      return undefined;
    }
  }
}

/** Whoever asks cannot approve it on the same page. */
function NeedsPerson({ says }: { says: string }) {
  return (
    <>
      <p>
        <bdi>{says}</bdi>
      </p>
      <p>
        It waits under{' '}
        <a href={linkTo('approvals')} target="_blank" rel="noopener">
          Approvals
        </a>
        . Go on here once it is approved there.
      </p>
    </>
  );
}
