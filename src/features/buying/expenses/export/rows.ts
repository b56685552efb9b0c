import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Outside } from '../../../../core/define/operation.ts'
import { type Filter, filtered } from '../reading/list.ts'
import { type ExportedRow, exportedByIds } from './read.ts'

/** How many expenses are read at a time: little memory, and the process answers others in between. */
const pageRows = 40

/** The characters of an id and the comma after it. */
const idWidth = 37

/**
 * Reads the expenses of an export in pages, by date. Which ones they are is decided at the beginning, so that each is in the
 * file once, whatever changes meanwhile; one that is deleted meanwhile is left out. Between pages it rests as long as it has
 * worked, so that others hardly wait for an export of many.
 */
export async function* exportedRows(
  { heavyTx }: Pick<Outside, 'heavyTx'>,
  filter: ExportFilter,
): AsyncGenerator<ExportedRow[]> {
  const ids = await heavyTx(({ db }) => idsOf(db, filter))
  let workedMs = 0
  for (let at = 0; at < ids.length; at += pageRows * idWidth) {
    await sleep(workedMs)
    let started = 0
    const page = ids.slice(at, at + pageRows * idWidth - 1).split(',')
    yield await heavyTx(({ db }) => {
      started = performance.now() // the wait for a connection is no work
      return exportedByIds(db, page)
    })
    workedMs = performance.now() - started
  }
}

/** The ids as one text with commas: a hundred thousand rows would take ten times the memory. */
async function idsOf(db: Database, filter: ExportFilter): Promise<string> {
  const found = filtered(db, filter).select(
    sql<string>`coalesce(string_agg(d.id::text, ',' order by d.issue_date, d.id), '')`.as('ids'),
  )
  const named = filter.ids === undefined ? found : found.where(sql<boolean>`d.id = any (${filter.ids}::uuid[])`)
  return (await named.executeTakeFirstOrThrow()).ids
}

export type ExportFilter = Filter & { ids?: string[] | undefined }
