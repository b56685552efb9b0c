import { monthOf } from '../../../../../core/values/day.ts'
import { counts } from './fill.ts'
import { dayOf, type Input, type Intent, type Missing, methodOf, missing, onRecord } from './intent.ts'
import type { Said } from './said.ts'

const employees =
  (input: Input) =>
  (said: Said): Input => {
    const words = said.name('employee')
    return { ...input, ...(words !== undefined && { search: words }) }
  }

function advance(said: Said): Input | Missing {
  const employee = said.target('employee')
  const [amount] = said.slots.amounts
  const method = methodOf(said)
  if (employee === undefined) return missing('employee')
  return amount
    ? { counterpartyId: employee, amount: amount.value, paidAt: dayOf(said), ...(method && { method }) }
    : missing('amount')
}

function newEmployee(said: Said): Input | Missing {
  const name = said.name('employee')
  const [wage] = said.slots.amounts
  if (name === undefined) return missing('name')
  if (!wage) return missing('wage')
  const [email] = said.slots.emails
  const start = said.period?.next?.from ?? said.period?.from ?? said.around.today
  return { name, startDate: start, monthlyWage: wage.value, ...(email && { email: email.text }) }
}

const raise = (said: Said): Input | Missing => {
  const employee = said.target('employee')
  const [wage] = said.slots.amounts
  if (employee === undefined) return missing('employee')
  const from = said.period?.next?.from ?? said.period?.from
  return wage ? { id: employee, monthlyWage: wage.value, ...(from && { effectiveFrom: from }) } : missing('wage')
}

const payslip =
  (kind: 'NET' | 'STATUTORY') =>
  (said: Said): Input | Missing => {
    const slip = said.target('payslip', { status: 'APPROVED' })
    const method = methodOf(said)
    return slip === undefined
      ? missing('payslip')
      : { payslipId: slip, kind, paidAt: dayOf(said), ...(method && { method }) }
  }

const slip = { field: 'payslipId' }
const pay = '+payroll +payslip +employee'

/** The file of the bank in the country. */
const bankFile = ({ around }: Said): Input => ({ format: { IL: 'masav', SG: 'giro', US: 'nacha' }[around.country] })

/** "How much did Grace earn", "what does Luis make": what a person gets, and not what the company makes. */
const isEarned = ({ text }: Said): boolean =>
  /\b(did|does|do|has|is) (?!we\b|i\b|it\b|they\b|you\b|the (company|business|shop)\b)[\p{L}' ]{2,40} (earn|make|earned|get paid|getting paid|bring home|on)\b(?! (from|off|us|a profit))/iu.test(
    text,
  )

const status = (value: string) => ({ status: value })

/** "Send Tom his payslip": only that of Tom, and not those of all. */
function onlyOf(said: Said): Input {
  const words = said.has('payslip') && !said.has('all') ? said.name('employee') : undefined
  if (words === undefined) return {}
  const month = monthOf(said.period?.from ?? said.around.today)
  return { payslipIds: [{ $named: 'payslip', words, where: { month } }] }
}

// biome-ignore format: a table
export const payrollIntents: Intent[] = [
  {
    name: 'payroll-summary',
    tool: 'payroll_summary',
    words: [
      'payroll +howMuch +employee +expense +payslip +paid +compare +pay +byMonth +average +which -generate -approve -create',
      'howMuch employee +payroll +expense +paid +pay +revenue +profit',
      'which|when employee pay|paid|revenue|expense +payroll +paidBy',
      'paid employee +payroll +who',
      'who paid payroll|employee',
      'payroll unpaid|paid +who +employee',
      'employee unpaid +who +payroll',
      'howMuch payroll pay +employee',
    ],
    if: (said) => (!said.has('pay') || said.isAsking || said.has('howMuch')) && !(counts(said) && !said.has('payroll')),
  },
  {
    name: 'payroll-summary',
    tool: 'payroll_summary',
    words: ['revenue|profit|pay|paid|expense +howMuch +which +paid +pay +payroll +me'],
    if: (said) => isEarned(said) && said.name('employee') !== undefined,
    bonus: () => 2,
  },
  { name: 'payslips', tool: 'payroll_payslips_list', words: [`payslip ${pay} +find +last`] },
  {
    name: 'draft-payslips',
    tool: 'payroll_payslips_list',
    words: [`draftState|pending payslip ${pay}`],
    input: status('DRAFT'),
  },
  {
    name: 'approved-payslips',
    tool: 'payroll_payslips_list',
    words: [`approved payslip ${pay}`],
    input: status('APPROVED'),
  },
  {
    name: 'paid-payslips',
    tool: 'payroll_payslips_list',
    words: [`paid payslip ${pay} -unpaid`],
    input: status('PAID'),
  },
  {
    name: 'unpaid-payslips',
    tool: 'payroll_payslips_list',
    words: [`unpaid payslip ${pay}`],
    input: status('APPROVED'),
  },
  {
    name: 'my-payslips',
    tool: 'payroll_my_payslips',
    words: ['payslip +payroll +last +find'],
    if: ({ text, has }) =>
      /\bmy (own )?(pay ?slip|pay ?stub|salary slip)|(ה?תלוש(ים)?( ה?(שכר|משכורת))?( האחרון)?) שלי|התלושים שלי/i.test(
        text,
      ) && !has('employee'),
    bonus: () => 2,
  },
  {
    name: 'explain-payslip',
    tool: 'payroll_payslips_get',
    words: [`why|madeUp payslip ${pay}`, 'why payroll +employee'],
    if: (said) => said.target('payslip') !== undefined,
    input: onRecord('payslip'),
    isWhole: true,
    bonus: () => 0.5,
  },
  {
    name: 'leave-balance',
    tool: 'payroll_payslips_get',
    words: [`leave +howMuch +howMany +remains +list +balance +hours +which ${pay}`],
    input: (said) => {
      const words = said.name('employee')
      return words === undefined ? missing('employee') : { id: { $named: 'payslip', words, which: 'latest' } }
    },
    isWhole: true,
    bonus: () => 1,
  },
  {
    name: 'generate-payroll',
    tool: 'payroll_generate',
    words: [`generate|create payroll|payslip ${pay}`],
    if: ({ has, slots, isAsking }) => !isAsking && !has('list') && slots.amounts.length === 0,
    bonus: () => 0.5,
  },
  {
    name: 'approve-payroll',
    tool: 'payroll_approve',
    words: [`approve payroll|payslip ${pay} +draftState +pending`],
    input: onlyOf,
    if: ({ has, isAsking }) => !isAsking && !has('list'),
    bonus: () => 0.5,
  },
  {
    name: 'pay-payslip',
    tool: 'payroll_pay',
    words: [`pay payroll|payslip|employee ${pay} +@method`, `markPaid payslip|payroll ${pay} +paidState +@method`],
    if: ({ has, isAsking }) => !isAsking && !has('list', 'tax'),
    input: payslip('NET'),
    isWhole: true,
  },
  {
    name: 'pay-statutory',
    tool: 'payroll_pay',
    words: [`pay payslip|payroll tax|cpf ${pay}`],
    if: ({ isAsking }) => !isAsking,
    input: payslip('STATUTORY'),
    isWhole: true,
  },
  {
    name: 'send-payslips',
    tool: 'payroll_payslips_send',
    words: [`send payslip ${pay} +them +fromMail`],
    input: onlyOf,
    bonus: () => 1,
  },
  {
    name: 'void-payslip',
    tool: 'payroll_void',
    words: ['void|cancel payslip +employee +payroll'],
    input: onRecord('payslip', {}, slip),
    isWhole: true,
  },
  {
    name: 'delete-payslip',
    tool: 'payroll_payslip_delete',
    words: ['delete payslip +employee +payroll +draftState'],
    input: onRecord('payslip', {}, { ...slip, where: { status: 'DRAFT' } }),
    isWhole: true,
  },
  {
    name: 'payroll-payments',
    tool: 'payroll_payments',
    words: [
      'payment payroll|payslip|advance +employee -create -record -pay',
      'advance +employee +open +paid +who +howMuch -create -record -pay',
    ],
    if: ({ slots }) => slots.amounts.length === 0,
    bonus: () => 0.5,
  },
  {
    name: 'pay-advance',
    tool: 'payroll_advance',
    words: [
      'create|record|pay|send|list advance +employee +payroll +@method',
      'advance +employee +record +pay +@method',
    ],
    if: ({ slots, isAsking }) => !isAsking && slots.amounts.length > 0,
    bonus: () => 1,
    input: advance,
    isWhole: true,
  },
  {
    name: 'pay-advance',
    tool: 'payroll_advance',
    words: ['create|record|pay advance +employee'],
    input: advance,
    isWhole: true,
  },
  {
    name: 'employees',
    tool: 'payroll_employees_list',
    words: ['employee +find +who +howMany +active +payroll -create -pay -top', 'employed +employee +who'],
    input: employees({ employed: 'true' }),
    isWhole: true,
    if: ({ has }) => !has('payroll') || has('find'),
  },
  {
    name: 'former-employees',
    tool: 'payroll_employees_list',
    words: ['former +employee +who +inactive'],
    input: { employed: 'false' },
    isWhole: true,
  },
  {
    name: 'create-employee',
    tool: 'payroll_employees_create',
    words: ['create employee +payroll', 'hire +employee +payroll +create +find'],
    if: ({ isAsking }) => !isAsking,
    input: newEmployee,
    isWhole: true,
    bonus: () => 0.5,
  },
  {
    name: 'change-wage',
    tool: 'payroll_employees_update',
    words: ['change payroll +employee', 'wageRise +payroll +employee +list +change +create'],
    if: (said) => !said.isAsking,
    input: raise,
    isWhole: true,
    bonus: () => 0.5,
  },
  {
    name: 'bank-file',
    tool: 'payroll_bank_file',
    words: ['bankFile +payroll +create +generate +employee +bank +attachment +export'],
    input: bankFile,
  },
  { name: 'form-102', tool: 'payroll_form_102', words: ['form102 +payroll +tax +taxAuthority +employee +howMuch +create +generate'] },
  {
    name: 'form-106',
    tool: 'payroll_form_106',
    words: ['form106 +employee +payroll +create +generate +issue'],
    input: onRecord('employee', {}, { field: 'employeeId' }),
  },
  { name: 'form-126', tool: 'payroll_form_126', words: ['form126 +payroll +create +generate'] },
  {
    name: 'form-cpf',
    tool: 'payroll_form_cpf',
    words: ['cpf +payroll +employee +howMuch +payment +create +generate +pay +owed +payables'],
  },
  { name: 'form-ir8a', tool: 'payroll_form_ir8a', words: ['ir8a +employee +create +generate'] },
  { name: 'form-940', tool: 'payroll_form_940', words: ['form940 +create +generate +tax'] },
  { name: 'form-941', tool: 'payroll_form_941', words: ['form941 +create +generate +tax'] },
  {
    name: 'form-w2',
    tool: 'payroll_form_w2',
    words: ['w2 +employee +create +generate'],
    input: (said) => {
      const employee = said.name('employee')
      return employee === undefined ? {} : { employeeId: { $named: 'employee', words: employee } }
    },
  },
  { name: 'form-w3', tool: 'payroll_form_w3', words: ['w3 +create +generate'] },
  {
    name: 'claims',
    tool: 'expenses_list',
    words: ['claim +employee +pending +expense +open -approve -reject -pay'],
    input: { status: 'PENDING_REVIEW' },
  },
]
