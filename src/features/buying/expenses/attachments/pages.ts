import { Readable } from 'node:stream'
import { conflict, Failure, notFound } from '../../../../core/define/failure.ts'
import { type Outside, operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Count, defaulted, Id, Type } from '../../../../core/define/schema.ts'
import { File, type FileAnswer } from '../../../../core/files/file.ts'
import { withLocalCopy } from '../../../../core/files/local-copy.ts'
import type { UnreadReason } from '../../../../core/outside/receipt-reader.ts'
import { attachedFile } from './read.ts'

/** Pictures are for people; nothing that an automation or the companion does begins with one. */
const forEyes = ['SESSION', 'API_KEY', 'OAUTH'] as const

export const pages = operation({
  name: 'expenses_attachment_pages',
  http: 'GET /api/expense-attachments/{id}/pages',
  does: 'Counts the pages of a PDF that is attached to an expense. One with more than 50 pages has none that can be drawn.',
  scope: 'expenses:read',
  sources: forEyes,
  within: 'documentAttachments',
  rate: 'pages',
  input: Type.Object({ id: Id }),
  output: Type.Object({ pageCount: Count }),
  outside: true,
  async run(context, { id }) {
    const { pageCount } = await draw(context, id, { dotsPerInch: 72 })
    return { pageCount }
  },
})

export const page = operation({
  name: 'expenses_attachment_page',
  http: 'GET /api/expense-attachments/{id}/pages/{page}',
  does: 'Shows one page of a PDF that is attached to an expense as a picture (JPEG).',
  scope: 'expenses:read',
  sources: forEyes,
  within: 'documentAttachments',
  rate: 'pages',
  input: Type.Object({
    id: Id,
    page: Type.String({ pattern: '^[1-9][0-9]?$', description: 'Its number, from 1.', examples: ['1'] }),
    dpi: defaulted(
      Type.Integer({
        minimum: 36,
        maximum: 200,
        description: 'How fine the picture is: 144 is twice the size on paper.',
      }),
      144,
    ),
  }),
  output: File,
  outside: true,
  async run(context, { id, page: number, dpi }) {
    const { jpeg, fileName } = await draw(context, id, { page: Number(number), dotsPerInch: dpi })
    if (!jpeg) throw notFound('page')
    return toPicture(`${fileName.replace(/\.pdf$/i, '')} ${number}.jpg`, Buffer.from(jpeg))
  },
})

/** The browser may keep it, because an attachment never changes. */
const toPicture = (fileName: string, bytes: Buffer): FileAnswer => ({
  fileName,
  fileType: 'image/jpeg',
  fileSize: bytes.length,
  open: async () => Readable.from([bytes]),
  bytes,
  inline: true,
  keptS: 60 * 60,
})

/** Draws from a copy on the local disk, in the process that reads files of strangers. */
async function draw(
  context: Pick<Outside, 'tx' | 'storage' | 'receiptReader'>,
  id: string,
  asked: { page?: number; dotsPerInch: number },
) {
  const file = await context.tx(({ db }) => one(attachedFile(db, id), 'attachment'))
  const { fileName, fileType, storageKey, organizationId } = file
  if (fileType !== 'application/pdf') throw conflict('The file is no PDF, so it has no pages.', 'NO_PAGES')
  const outcome = await withLocalCopy(context.storage, storageKey, (path) =>
    context.receiptReader.drawPage({ path, organizationId, ...asked }),
  )
  if ('unread' in outcome) throw toFailure(outcome)
  return { ...outcome, fileName }
}

/** The file is to blame, or what happened to the process, in which case the same request may succeed later. */
const toFailure = ({ unread, message }: { unread: UnreadReason; message: string }) =>
  passing.has(unread)
    ? new Failure('INTERNAL', message, { details: [{ path: '', message, code: 'UNAVAILABLE' }], retryAfterS: 5 })
    : conflict(message, 'NO_PAGES')

const passing: ReadonlySet<UnreadReason> = new Set(['BUSY', 'CRASHED', 'OUT_OF_MEMORY', 'TOOK_TOO_LONG'])
