import { operation } from '../../../../core/define/operation.ts'
import { Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { File } from '../../../../core/files/file.ts'
import { printLanguages, toFile } from '../../../selling/documents/print/print.ts'
import { printOrder } from './print-order.ts'

export const pdf = operation({
  name: 'orders_pdf',
  http: 'GET /api/orders/{id}/pdf',
  does: 'Prints an order as PDF: the order to a supplier, or the confirmation of the order of a customer. A draft is marked as one.',
  scope: 'orders:read',
  within: 'orders',
  rate: 'pdf',
  input: Type.Object({
    id: Id,
    language: Type.Optional({
      ...OneOf(...printLanguages),
      description:
        'The language of the organization, or English for a company abroad, unless given. he-en is Hebrew with English beside it.',
    }),
  }),
  output: File,
  outside: true,
  async run(context, input) {
    return toFile(await printOrder(context, (work) => context.tx(({ db }) => work(db)), input))
  },
})
