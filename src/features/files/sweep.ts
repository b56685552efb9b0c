import { type JobContext, job } from '../../core/job.ts'
import { Type } from '../../core/schema.ts'
import type { Stored } from '../../providers/storage.ts'

const graceMs = 60 * 60 * 1000
const removingAtOnce = 8

/** Removes the bytes of a file whose row is gone. */
export const removeFile = job('remove-file', Type.Object({ storageKey: Type.String() }), async (context, file) => {
  await removeUnowned(context, [file.storageKey])
})

/**
 * Removes what the store holds and no row knows: uploads that were broken off after their bytes were kept, and files of
 * organizations that are gone. What is younger than an hour may still get its row.
 */
export const sweepFiles = job('sweep-files', Type.Object({}, { additionalProperties: true }), async (context) => {
  const { storage, signal } = context
  let page = await storage.list()
  while (!signal.aborted) {
    await removeUnowned(
      context,
      page.objects.filter(isSettled).map(({ key }) => key),
    )
    if (page.next === undefined) return
    page = await storage.list(page.next)
  }
})

const isSettled = ({ modifiedAt }: Stored) => Date.now() - modifiedAt.getTime() > graceMs

/** Asks for the rows after the listing: a file that has got its row in between is seen. */
async function removeUnowned({ tx, storage }: Pick<JobContext, 'tx' | 'storage'>, keys: string[]) {
  if (keys.length === 0) return
  const owned = await tx(({ db }) =>
    db.selectFrom('files').select('storageKey').where('storageKey', 'in', keys).execute(),
  )
  const known = new Set(owned.map(({ storageKey }) => storageKey))
  const unowned = keys.filter((key) => !known.has(key))
  for (let at = 0; at < unowned.length; at += removingAtOnce) {
    await Promise.all(unowned.slice(at, at + removingAtOnce).map((key) => storage.remove(key)))
  }
}
