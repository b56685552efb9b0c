import { Readable } from 'node:stream'
import { Failure } from '../../../../core/define/failure.ts'
import { type Outside, operation } from '../../../../core/define/operation.ts'
import { Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { File, type FileAnswer } from '../../../../core/files/file.ts'
import { type ZipFile, zipParts } from '../../../../core/files/write-zip.ts'
import { toFailure } from '../../../../core/run/errors.ts'
import { pdf } from '../print/pdf.ts'
import { printLanguages } from '../print/print.ts'
import { callPatiently, DocumentIds, knownDocuments, unique } from './each.ts'

export const pdfs = operation({
  name: 'invoices_bulk_pdf',
  http: 'POST /api/documents/bulk-pdf',
  does: 'Prints several sales documents and packs their PDFs into one ZIP file; what could not be printed is listed in it.',
  scope: 'invoices:read',
  within: 'organizationId',
  reads: true,
  sources: ['SESSION', 'API_KEY', 'OAUTH'],
  rate: 'pdf',
  input: Type.Object({
    organizationId: Id,
    ids: DocumentIds,
    language: Type.Optional(OneOf(...printLanguages)),
    copy: Type.Optional(Type.Boolean({ description: 'Whether the prints are copies, as they usually are.' })),
  }),
  output: File,
  outside: true,
  async run(context, { organizationId: _, ids, ...input }): Promise<FileAnswer> {
    const known = await knownDocuments(context, ids)
    refuseUnknown(ids, known)
    const files = printedFiles(context, unique(ids), input)
    return {
      fileName: `documents-${context.now.toISOString().slice(0, 10)}.zip`,
      fileType: 'application/zip',
      open: async () => Readable.from(zipParts(files)),
    }
  },
})

function refuseUnknown(ids: readonly string[], known: ReadonlySet<string>): void {
  const message = 'There is no such document.'
  const details = ids.flatMap((id, at) =>
    known.has(id.toLowerCase()) ? [] : [{ path: `ids.${at}`, message, code: 'UNKNOWN_REFERENCE' as const }],
  )
  if (details.length > 0) throw new Failure('VALIDATION', message, { details })
}

/** How long a ZIP file may take to be made. It is sent meanwhile. */
const printingMs = 5 * 60_000

/** One PDF after the other, as the operation for one prints it. The list of those that failed comes last, if there are any. */
async function* printedFiles(
  context: Pick<Outside, 'call'>,
  ids: readonly string[],
  input: Record<string, unknown>,
): AsyncGenerator<ZipFile> {
  const until = performance.now() + printingMs
  const nameOf = uniqueNames()
  const problems: string[] = []
  for (const id of ids) {
    try {
      const { file } = await callPatiently(context, pdf, { id, input, until })
      if (file?.bytes) yield { name: nameOf(file.fileName), bytes: file.bytes }
    } catch (error) {
      problems.push(`${id}: ${toFailure(error).message}`)
    }
  }
  if (problems.length > 0) yield { name: 'not-printed.txt', bytes: Buffer.from(`${problems.join('\n')}\n`) }
}

/** Drafts have no number, so several may have the same name: `Invoice.pdf`, `Invoice (2).pdf`. */
function uniqueNames() {
  const taken = new Map<string, number>()
  return (name: string) => {
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return count === 1 ? name : name.replace(/(\.\w+)?$/, ` (${count})$1`)
  }
}
