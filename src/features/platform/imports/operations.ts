import { notFound } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { Pagination, paging } from '../../../core/define/page.ts'
import { byId, lockFor, one, paged } from '../../../core/define/query.ts'
import { ById, Id, optional, Type } from '../../../core/define/schema.ts'
import { newId } from '../../../core/values/id.ts'
import { organizationContext } from '../../../ledger/organization-context.ts'
import { mayAddRole, maySeeEmployees, readFile, refuseKind, refuseWrong, toPreview } from './execute.ts'
import { Import, ImportInput, ImportPreview, importCompleted } from './import.ts'
import type { Importers } from './importer.ts'

/** The operations of imports, with an importer for each kind. */
export const importOperations = (importers: Importers) => [previewWith(importers), createWith(importers), list, get]

const previewWith = (importers: Importers) =>
  operation({
    name: 'organizations_import_preview',
    http: 'POST /api/imports/preview',
    does: 'Reads a CSV or XLSX file of customers, suppliers, items, opening balances or employees, and says for each row what an import would do. Changes nothing. Needs the same rights as the import.',
    scope: 'organizations:read',
    role: 'CONTRIBUTOR',
    within: 'organizationId',
    reads: true,
    input: Type.Object({ ...ImportInput, organizationId: Id }),
    output: ImportPreview,
    rate: 'uploads',
    outside: true,
    upload: true,
    async run(context, input) {
      const who = await context.who
      const importer = importers[input.kind]
      refuseKind(who, importer)
      const organization = await context.tx(({ db }) => organizationContext(db))
      const file = await readFile(context, input, { importer, organization })
      const outcome = await context.heavyTx(({ db }) =>
        importer.run({ db, records: file.records, organization, mayAddRole: mayAddRole(who) }, context.now),
      )
      return toPreview(input.kind, importer, { file, outcome })
    },
  })

const createWith = (importers: Importers) =>
  operation({
    name: 'organizations_import_create',
    http: 'POST /api/imports',
    does: 'Imports customers, suppliers, items, opening balances or employees from a CSV or XLSX file: all rows or none. Rows are recognised, so the same file again changes nothing. Emits one import.completed.',
    scope: 'organizations:write',
    role: 'CONTRIBUTOR',
    within: 'organizationId',
    input: Type.Object(ImportInput),
    output: Import,
    status: 201,
    rate: 'uploads',
    outside: true,
    upload: true,
    async run(context, input) {
      const { kind } = input
      const importer = importers[kind]
      refuseKind(await context.who, importer)
      const organization = await context.tx(({ db }) => organizationContext(db))
      const file = await readFile(context, input, { importer, organization })
      refuseWrong(file, file.problems)
      const { fileName, size: fileSize, sha256 } = context.upload
      const write = { id: newId(), kind, fileName, fileSize, sha256 }
      return context.once(async ({ db, emit, audit, who }) => {
        const caller = await who
        refuseKind(caller, importer)
        await lockFor(db, 'import') // a second import sees the records of the first
        const {
          problems,
          audit: detail,
          ...outcome
        } = await importer.run(
          { db, records: file.records, organization, mayAddRole: mayAddRole(caller), write },
          context.now,
        )
        refuseWrong(file, problems)
        const made = toImport(await one(importById(db, write.id), 'import'))
        const { created, updated, unchanged } = outcome
        audit({ kind, fileName, sha256, created, updated, unchanged, ...detail })
        const { id, organizationId, rows } = made
        emit(importCompleted, { id, organizationId, kind, fileName, rows, created, updated, unchanged })
        return made
      })
    },
  })

const list = operation({
  name: 'organizations_imports',
  http: 'GET /api/imports',
  does: 'Lists the imports that were made, the latest first. Imports of employees need payroll:read, CONTRIBUTOR and organizationId.',
  scope: 'organizations:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    ...optional({ kind: ImportInput.kind }),
  }),
  output: Type.Object({ imports: Type.Array(Import), pagination: Pagination }),
  async run({ db, who }, { kind, organizationId, ...page }) {
    let query = imports(db).orderBy('createdAt', 'desc').orderBy('id', 'desc')
    // Over several organizations there is no role to decide by.
    if (organizationId === undefined || !maySeeEmployees(await who)) query = query.where('kind', '<>', 'EMPLOYEES')
    if (kind) query = query.where('kind', '=', kind)
    const { rows, pagination } = await paged(query, page)
    return { imports: rows.map(toImport), pagination }
  },
})

const get = operation({
  name: 'organizations_import',
  http: 'GET /api/imports/{id}',
  does: 'Reads one import: its file and how many records it added and changed.',
  scope: 'organizations:read',
  within: 'imports',
  input: ById,
  output: Import,
  async run({ db, who }, { id }) {
    const row = await one(importById(db, id), 'import')
    if (row.kind === 'EMPLOYEES' && !maySeeEmployees(await who)) throw notFound('import')
    return toImport(row)
  },
})

const imports = (db: Database) => db.selectFrom('imports').selectAll()
const importById = byId((db, id) => imports(db).where('id', '=', id))

type ImportRow = Awaited<ReturnType<ReturnType<typeof imports>['executeTakeFirstOrThrow']>>

const toImport = ({ rowCount, createdCount, updatedCount, unchangedCount, ...row }: ImportRow): Import => ({
  ...row,
  rows: rowCount,
  counts: { created: createdCount, updated: updatedCount, unchanged: unchangedCount },
})
