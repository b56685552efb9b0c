import { sql } from 'kysely'
import { notFound } from '../../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import { Id, notBlank, Success, success, Type } from '../../../../core/define/schema.ts'
import { File } from '../../../../core/files/file.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { notify } from '../../../company/notifications/notify.ts'
import { fileById } from '../../../platform/files/store.ts'
import { invoiceDisputed, toEventPayload } from '../events/events.ts'
import { printDocument, toFile } from '../print/print.ts'
import { documentById, toDocument } from '../reading/read.ts'
import { linkPurpose, noteViewName, viewName } from './public-link.ts'
import { type LinkedDocument, PublicView, publicView } from './view.ts'

/**
 * What the holder of a link can do with its document. No other credential opens these. They run like every operation:
 * confined to the organization, and each write with its audit row. The surface checks the token and passes on the
 * document and the version of the link that it was signed for.
 */
const byLink = {
  surface: 'public-page',
  scope: 'invoices:read',
  within: 'documents',
  sources: [],
  link: linkPurpose,
} as const
const writing = { ...byLink, scope: 'invoices:write', linkWrites: true, rate: 'writes' } as const

const ofLink = { id: Id, linkVersion: Type.Integer({ minimum: 1 }) }
/** Tells visitors apart and reveals nothing else about them; the surface fills it in. */
const visitor = Type.String({ maxLength: 64 })

export const view = operation({
  ...byLink,
  name: viewName,
  http: 'GET /d/{token}',
  does: 'Shows a sales document to whoever holds its link.',
  input: Type.Object({ ...ofLink, visitor }),
  output: PublicView,
  async run({ db, now }, { visitor, ...linked }) {
    const { shown, noted } = await pipeline({
      shown: publicView(db, linked, now),
      noted: isNoted(db, linked.id, visitor),
    })
    return { ...shown, noted }
  },
})

export const noteView = operation({
  ...writing,
  name: noteViewName,
  http: 'POST /d/{token}/views',
  does: 'Notes that a sales document was looked at: once an hour for a visitor, and no more than 48 times a day.',
  input: Type.Object({ ...ofLink, visitor }),
  output: Success,
  async run({ db }, { visitor, ...linked }) {
    await lockDocument(db, linked)
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
const countedMessages = [
  { bucket: 'customerWords', per: 'address' },
  { bucket: 'customerMessages', per: 'id' },
] as const

export const comment = operation({
  ...writing,
  name: 'invoices_customer_comment',
  http: 'POST /d/{token}/comments',
  does: 'Adds what a customer has to say to a sales document.',
  input: Message,
  output: Success,
  status: 201,
  alsoRates: countedMessages,
  run: (context, message) => addMessage(context, 'COMMENTED', message),
})

export const dispute = operation({
  ...writing,
  name: 'invoices_customer_dispute',
  http: 'POST /d/{token}/disputes',
  does: 'Notes that a customer disputes a sales document, and why.',
  input: Message,
  output: Success,
  status: 201,
  alsoRates: countedMessages,
  async run(context, message) {
    const { db, emit } = context
    await addMessage(context, 'DISPUTED', message)
    await db.updateTable('documents').set({ inDispute: true }).where('id', '=', message.id).execute()
    emit(invoiceDisputed, toEventPayload(toDocument(await one(documentById(db, message.id), 'document'))))
    return success
  },
})

type CustomerMessage = LinkedDocument & { name: string; message: string }

async function addMessage(
  { db, audit }: Pick<Inside, 'db' | 'audit'>,
  type: 'COMMENTED' | 'DISPUTED',
  sent: CustomerMessage,
) {
  const [name, message] = [sent.name.trim(), sent.message.trim()]
  const { number } = await lockDocument(db, sent)
  await appendHistory(db, sent.id, type, { by: 'CUSTOMER', name, message })
  const kind = type === 'DISPUTED' ? 'DOCUMENT_DISPUTED' : 'DOCUMENT_COMMENTED'
  await notify(db, { kind, to: 'CONTRIBUTORS', data: { documentId: sent.id, number: number ?? '', name } })
  audit({ by: name })
  return success
}

/** Locks the document of a link that is still valid. */
function lockDocument(db: Database, { id, linkVersion }: LinkedDocument) {
  const found = db
    .selectFrom('documents')
    .select('number')
    .where('id', '=', id)
    .where('linkVersion', '=', linkVersion)
    .where('status', '<>', 'DRAFT')
  return one(found.forNoKeyUpdate(), 'document')
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
  rate: 'pdf',
  does: 'Prints a sales document as PDF for its customer: the original, or a flagged copy once it was cancelled.',
  input: Type.Object(ofLink),
  output: File,
  outside: true,
  async run(context, linked) {
    const read = <T>(work: (db: Database) => Promise<T>) =>
      context.tx(async ({ db }) => {
        await publicView(db, linked, context.now)
        return work(db)
      })
    return toFile(await printDocument(context, read, { id: linked.id, copy: false, forCustomer: true }))
  },
})

async function fileOf(db: Database, documentId: string, attachmentId: string): Promise<string | null | undefined> {
  if (attachmentId === 'logo')
    return (
      await db.selectFrom('issuedCopies').select('logoFileId').where('documentId', '=', documentId).executeTakeFirst()
    )?.logoFileId
  const attached = db.selectFrom('documentAttachments').select('fileId').where('documentId', '=', documentId)
  return (await attached.where('id', '=', toUuid(attachmentId)).executeTakeFirst())?.fileId
}
