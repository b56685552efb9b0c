import { sql } from 'kysely'
import type { Outside } from '../../../core/define/operation.ts'
import { type Filter, filtered } from '../reading/list.ts'
import { type ExportedRow, exportedByIds } from './read.ts'

/** How many expenses are read at a time: little memory, and the process answers others in between. */
const pageRows = 500

/**
 * Reads the expenses of an export in pages, by date. Which ones they are is decided at the beginning, so that each is in the
 * file once, whatever changes meanwhile; one that is deleted meanwhile is left out.
 */
export async function* exportedRows(
  { heavyTx }: Pick<Outside, 'heavyTx'>,
  filter: ExportFilter,
): AsyncGenerator<ExportedRow[]> {
  const ids = await heavyTx(async ({ db }) => {
    const found = filtered(db, filter).select('d.id').orderBy('d.issueDate').orderBy('d.id')
    const named = filter.ids === undefined ? found : found.where(sql<boolean>`d.id = any (${filter.ids}::uuid[])`)
    return (await named.execute()).map(({ id }) => id)
  })
  for (let at = 0; at < ids.length; at += pageRows)
    yield await heavyTx(({ db }) => exportedByIds(db, ids.slice(at, at + pageRows)))
}

export type ExportFilter = Filter & { ids?: string[] | undefined }
