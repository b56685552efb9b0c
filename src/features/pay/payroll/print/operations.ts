import { notFound } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { File } from '../../../../core/files/file.ts'
import { toFile } from '../../../selling/documents/print/print.ts'
import { payslipLanguages } from './print-data.ts'
import { printPayslip } from './print-payslip.ts'

const PdfInput = Type.Object({
  id: Id,
  language: Type.Optional({
    ...OneOf(...payslipLanguages),
    description:
      'The language of the employee, or of the country, unless given; both prints two languages beside each other.',
  }),
})

export const pdf = operation({
  name: 'payroll_payslips_pdf',
  http: 'GET /api/payroll/payslips/{id}/pdf',
  does: 'Prints a payslip as PDF, in English, Hebrew or both; a draft and a void payslip are marked as such.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'payslips',
  rate: 'pdf',
  input: PdfInput,
  output: File,
  outside: true,
  async run(context, { id, language }) {
    return toFile(await printPayslip(context, (work) => context.tx(({ db }) => work(db)), { id, language }))
  },
})

export const myPayslipPdf = operation({
  name: 'payroll_my_payslip_pdf',
  http: 'GET /api/hr/me/payslips/{id}/pdf',
  does: 'Prints an approved or paid payslip of the signed-in employee as PDF.',
  scope: 'payroll:read',
  role: 'EMPLOYEE',
  within: 'payslips',
  rate: 'pdf',
  input: PdfInput,
  output: File,
  outside: true,
  async run(context, { id, language }) {
    const { userId } = await context.who
    const print = await printPayslip(context, (work) => context.tx(({ db }) => work(db)), {
      id,
      language,
      check({ row, employee }) {
        const isShown = row.status === 'APPROVED' || row.status === 'PAID'
        if (employee.userId !== userId || !isShown) throw notFound('payslip')
      },
    })
    return toFile(print)
  },
})
