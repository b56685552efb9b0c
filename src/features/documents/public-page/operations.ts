import { sql } from 'kysely'
import { notFound } from '../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../core/define/operation.ts'
import { one, toUuid } from '../../../core/define/query.ts'
import { Id, notBlank, Success, success, Type } from '../../../core/define/schema.ts'
import { File } from '../../../core/files/file.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { fileById } from '../../files/store.ts'
import { notify } from '../../notifications/notify.ts'
import { invoiceDisputed, toEventPayload } from '../events/events.ts'
import { printDocument, toFile } from '../print/print.ts'
import { documentById, toDocument } from '../reading/read.ts'
import { linkPurpose } from './public-link.ts'
import { type Linking, PublicView, publicView } from './view.ts'

/**
 * What the holder of a link can do with its document, and nobody else: there is no credential that opens these. They are
 * carried out like everything else, confined to the organization and each write with its audit row.
 */
const byLink = { scope: 'invoices:read', within: 'documents', sources: [], link: linkPurpose } as const
const writing = { ...byLink, scope: 'invoices:write', linkWrites: true, rate: 'writes' } as const

const ofLink = { id: Id, linkVersion: Type.Integer({ minimum: 1 }) }
/** Tells visitors apart and nothing else about them. */
const visitor = Type.String({ maxLength: 64 })

export const view = operation({
  ...byLink,
  name: 'invoices_customer_view',
  http: 'GET /d/{token}',
  does: 'Shows a sales document to whoever holds its link.',
  input: Type.Object({ ...ofLink, visitor }),
  output: PublicView,
  async run({ db, now }, { visitor, ...linked }) {
    const [shown, noted] = await Promise.all([publicView(db, linked, now), isNoted(db, linked.id, visitor)])
    return { ...shown, noted }
  },
})

export const noteView = operation({
  ...writing,
  name: 'invoices_customer_viewed',
  http: 'POST /d/{token}/views',
  does: 'Notes that a sales document was looked at: once an hour for a visitor, and no more than 48 times a day.',
  input: Type.Object({ ...ofLink, visitor }),
  output: Success,
  async run({ db }, { visitor, ...linked }) {
    await heldDocument(db, linked)
    if (!(await isNoted(db, linked.id, visitor)))
      await appendHistory(db, linked.id, 'VIEWED', { by: 'CUSTOMER', visitor })
    return success
  },
})

const viewsPerDay = 48

async function isNoted(db: Database, documentId: string, visitor: string): Promise<boolean> {
  const { noted } = await db
    .selectFrom('documentEvents')
    .select(
      sql<boolean>`count(*) >= ${viewsPerDay} or coalesce(bool_or(payload ->> 'visitor' = ${visitor}
        and created_at > now() - interval '1 hour'), false)`.as('noted'),
    )
    .where('documentId', '=', documentId)
    .where('type', '=', sql.lit('VIEWED'))
    .where('createdAt', '>', sql<string>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return noted
}

const Message = Type.Object({
  ...ofLink,
  name: Type.String({ minLength: 1, maxLength: 100, pattern: notBlank }),
  message: Type.String({ minLength: 1, maxLength: 4_000, pattern: notBlank }),
})
const perDocument = [{ bucket: 'customerMessages', per: 'id' }] as const

export const comment = operation({
  ...writing,
  name: 'invoices_customer_comment',
  http: 'POST /d/{token}/comments',
  does: 'Adds what a customer has to say to a sales document.',
  input: Message,
  output: Success,
  alsoRates: perDocument,
  run: (context, message) => say(context, 'COMMENTED', message),
})

export const dispute = operation({
  ...writing,
  name: 'invoices_customer_dispute',
  http: 'POST /d/{token}/disputes',
  does: 'Notes that a customer disputes a sales document, and why.',
  input: Message,
  output: Success,
  alsoRates: perDocument,
  async run(context, message) {
    const { db, emit } = context
    const said = await say(context, 'DISPUTED', message)
    await db.updateTable('documents').set({ inDispute: true }).where('id', '=', message.id).execute()
    emit(invoiceDisputed, toEventPayload(toDocument(await one(documentById(db, message.id), 'document'))))
    return said
  },
})

type Said = Linking & { name: string; message: string }

async function say({ db, audit }: Pick<Inside, 'db' | 'audit'>, type: 'COMMENTED' | 'DISPUTED', said: Said) {
  const [name, message] = [said.name.trim(), said.message.trim()]
  const { number } = await heldDocument(db, said)
  await appendHistory(db, said.id, type, { by: 'CUSTOMER', name, message })
  const kind = type === 'DISPUTED' ? 'DOCUMENT_DISPUTED' : 'DOCUMENT_COMMENTED'
  await notify(db, { kind, to: 'CONTRIBUTORS', data: { documentId: said.id, number: number ?? '', name } })
  audit({ by: name })
  return success
}

/** The document of a link that still opens it; others who write about it wait. */
function heldDocument(db: Database, { id, linkVersion }: Linking) {
  const opened = db
    .selectFrom('documents')
    .select('number')
    .where('id', '=', id)
    .where('linkVersion', '=', linkVersion)
    .where('status', '<>', 'DRAFT')
  return one(opened.forNoKeyUpdate(), 'document')
}

export const file = operation({
  ...byLink,
  name: 'invoices_customer_file',
  http: 'GET /d/{token}/files/{attachmentId}',
  does: 'Reads a file that goes along with a sales document, or the logo of the company.',
  input: Type.Object({ ...ofLink, attachmentId: Type.String({ maxLength: 64, description: 'Or logo.' }) }),
  output: File,
  outside: true,
  async run(context, { attachmentId, ...linked }) {
    const { fileName, fileType, fileSize, storageKey } = await context.tx(async ({ db }) => {
      await publicView(db, linked, context.now)
      const fileId = await fileOf(db, linked.id, attachmentId)
      if (!fileId) throw notFound('file')
      return one(fileById(db, fileId), 'file')
    })
    return { fileName, fileType, fileSize, open: () => context.storage.open(storageKey) }
  },
})

export const print = operation({
  ...byLink,
  name: 'invoices_customer_pdf',
  http: 'GET /d/{token}/pdf',
  does: 'Prints a sales document as PDF for its customer: the original.',
  input: Type.Object(ofLink),
  output: File,
  outside: true,
  async run(context, linked) {
    const read = <T>(work: (db: Database) => Promise<T>) =>
      context.tx(async ({ db }) => {
        await publicView(db, linked, context.now)
        return work(db)
      })
    return toFile(await printDocument(context, read, { id: linked.id, copy: false }))
  },
})

async function fileOf(db: Database, documentId: string, attachmentId: string): Promise<string | null | undefined> {
  if (attachmentId === 'logo')
    return (await db.selectFrom('organizationSettings').select('logoFileId').executeTakeFirst())?.logoFileId
  const attached = db.selectFrom('documentAttachments').select('fileId').where('documentId', '=', documentId)
  return (await attached.where('id', '=', toUuid(attachmentId)).executeTakeFirst())?.fileId
}
