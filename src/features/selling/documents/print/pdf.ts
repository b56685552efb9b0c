import { operation } from '../../../../core/define/operation.ts'
import { defaulted, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { File } from '../../../../core/files/file.ts'
import { printDocument, printLanguages, toFile } from './print.ts'

export const pdf = operation({
  name: 'invoices_pdf',
  http: 'GET /api/documents/{id}/pdf',
  does: 'Prints a sales document as PDF, in its own language or the one asked for; a draft is marked as one.',
  scope: 'invoices:read',
  within: 'documents',
  rate: 'pdf',
  input: Type.Object({
    id: Id,
    language: Type.Optional({ ...OneOf(...printLanguages), description: 'he-en is Hebrew with English beside it.' }),
    copy: defaulted(
      Type.Boolean({
        description:
          'Whether the print is a copy. The original (false) is what the customer gets: printed once in the language of the document, and the same bytes from then on. Copies show later payments.',
      }),
      true,
    ),
    inline: Type.Optional(
      Type.Boolean({ description: 'For a browser to show it, in a tab or a frame of the app, instead of saving it.' }),
    ),
  }),
  output: File,
  outside: true,
  async run(context, { inline = false, ...input }) {
    return toFile(await printDocument(context, (work) => context.tx(({ db }) => work(db)), input), { inline })
  },
})
