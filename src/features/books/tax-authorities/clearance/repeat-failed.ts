import { sql } from 'kysely'
import type { Inside } from '../../../../core/define/operation.ts'
import { enqueueAttempt } from './queue.ts'

type RepeatContext = Pick<Inside, 'db' | 'enqueue'>

/** Submissions that failed are repeated as soon as the credentials are others or work again. */
export async function repeatFailed({ db, enqueue }: RepeatContext, authority: string) {
  const failed = await db
    .updateTable('clearances')
    .set({ nextAttemptAt: sql<string>`now()` })
    .where('authority', '=', authority)
    .where('status', '=', 'ERROR')
    .where((or) => or.or([or('nextAttemptAt', 'is', null), or('nextAttemptAt', '>', sql<string>`now()`)]))
    .returning('documentId')
    .execute()
  for (const { documentId } of failed.slice(0, repeatedAtOnce)) enqueueAttempt({ enqueue }, documentId, new Date())
}
/** The rest is found by the job that looks for lost submissions. */
const repeatedAtOnce = 200
