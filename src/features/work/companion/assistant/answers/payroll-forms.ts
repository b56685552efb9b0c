import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { number, text } from './record-rows.ts'
import type { Data } from './rows.ts'

/** Forms of payroll: what is to be paid first, then the boxes as the form has them. Boxes are never added up. */

type Form = Data & { currency: string; problems?: unknown[] }
type Box = { line?: string; code?: string; description?: string; name?: string; nameHe?: string }

/** Forms 941 and 940 of the United States. */
async function* federalForm(talk: Talk, _: Understood, form: Form & { lines: (Box & Data)[] }): Steps {
  const period = form.quarter
    ? `${talk.in('Q', 'רבעון ')}${number(form.quarter)} ${number(form.year)}`
    : String(form.year)
  yield* talk.say(
    talk.in(
      `The tax of ${period} is ${talk.money(number(form.total), form.currency)}.`,
      `המס של ${period} הוא ${talk.money(number(form.total), form.currency)}.`,
    ),
  )
  for (const { line, description, wages, amount } of form.lines) {
    if (typeof amount !== 'number' || amount === 0) continue
    const isCount = /^number of /i.test(text(description))
    const of =
      typeof wages === 'number'
        ? talk.in(` on ${talk.money(wages, form.currency)}`, ` על ${talk.money(wages, form.currency)}`)
        : ''
    const said = isCount ? talk.number(amount) : `${talk.money(amount, form.currency)}${of}`
    yield* talk.line(`• ${talk.in('Line', 'שורה')} ${talk.data(text(line))}, ${talk.data(text(description))}: ${said}`)
  }
  yield* problemNote(talk, form)
}

type Form102 = Form & {
  month: string
  rows: (Box & { count: number | null; amount: number | null; reported: number | null })[]
  due: { nationalInsurance: string; incomeTax: string }
}

async function* form102(talk: Talk, _: Understood, form: Form102): Steps {
  yield* talk.say(talk.in(`Form 102 of ${talk.month(form.month)}:`, `טופס 102 ל${talk.month(form.month)}:`))
  for (const { name, nameHe, count, amount, reported } of form.rows) {
    const sum = reported ?? amount
    const said = [count === null ? '' : talk.number(count), sum === null ? '' : talk.money(sum, form.currency)]
    const values = said.filter(Boolean).join(', ')
    if (values !== '') yield* talk.line(`• ${talk.data(talk.in(text(name), text(nameHe)))}: ${values}`)
  }
  const { incomeTax, nationalInsurance } = form.due
  yield* talk.line(
    talk.in(
      `Income tax is due ${talk.day(incomeTax)}, National Insurance ${talk.day(nationalInsurance)}.`,
      `מס הכנסה לתשלום עד ${talk.day(incomeTax)}, ביטוח לאומי עד ${talk.day(nationalInsurance)}.`,
    ),
  )
  yield* problemNote(talk, form)
}

type Cpf = Form & {
  month: string
  employees: unknown[]
  summary: { payment: string; amount: number }[]
  totals: { payable: number }
}

async function* cpf(talk: Talk, _: Understood, form: Cpf): Steps {
  const people = counted(talk.language, form.employees.length, nouns.employee)
  yield* talk.say(
    talk.in(
      `The CPF Board is to be paid ${talk.money(form.totals.payable, form.currency)} for ${talk.month(form.month)}, ${people}.`,
      `לתשלום ל-CPF עבור ${talk.month(form.month)}: ${talk.money(form.totals.payable, form.currency)}, ${people}.`,
    ),
  )
  for (const { payment, amount } of form.summary)
    if (amount !== 0) yield* talk.line(`• ${talk.data(payment)}: ${talk.money(amount, form.currency)}`)
  yield* problemNote(talk, form)
}

async function* problemNote(talk: Talk, { problems = [] }: Form): Steps {
  for (const { message } of (problems as Data[]).slice(0, 3))
    yield* talk.line(`${talk.in('Note', 'שימו לב')}: ${talk.data(text(message), 300)}`)
}

export const tellForms: Record<string, (talk: Talk, understood: Understood, output: never) => Steps> = {
  payroll_form_941: federalForm,
  payroll_form_940: federalForm,
  payroll_form_102: form102,
  payroll_form_cpf: cpf,
}
