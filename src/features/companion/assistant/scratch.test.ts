import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { conversation, plainText } from '../../../test/companion.ts'
import { companionBooks } from '../../../test/companion-books.ts'
import { builtInAssistant } from './answer.ts'

const sentences = `hello
help
who owes me money?
who owes me more than 1000 since march
מי חייב לי כסף
overdue invoices
חשבוניות באיחור
open invoices of globex
how much does Globex owe me?
כמה globex חייבים לי?
show invoice 1
why is invoice 1 1090?
ממה מורכבת חשבונית 2
drafts
list my customers
find initech
how many customers do we have
כמה לקוחות יש לנו
revenue this year
הכנסות השנה
top 2 customers this year
how much did we spend on fuel in the first quarter of 2026
מה ההוצאות על דלק ברבעון הראשון של 2026
expenses by category in 2026
expenses waiting for approval
הוצאות שממתינות לאישור
profit this year
רווח השנה
balance sheet
מאזן
vat to pay this year
trial balance 2026
low stock
מלאי נמוך
how many lamps are left
what is our stock worth
open orders
payroll of march 2026
שכר מרץ 2026
employees
רשימת עובדים
explain the payslip of Dana
automations
why did the last run fail?
למה האוטומציה Welcome נכשלה
failed runs
draft an invoice for Globex, 3 hours of consulting at 400
הכן חשבונית ל-Initech על 500 שקל עבור ייעוץ
draft an invoice for Nobody Corp for 300
every monday send me the overdue invoices
כשחשבונית באיחור שלח תזכורת
add customer Hooli, hooli@example.test
הוסף לקוח חדש פייפר
add an expense of 45 for taxi
statement of globex
כרטסת של כהן ובניו
members
settings
exchange rate of USD
dashboard
bank accounts
expense categories
payments in may 2026
תשלומים ממאי 2026
journal of march 2026
general ledger of account 4000
history of invoice 1
audit log
mailboxes
items
scan usage
show me the pdf of invoice 1
transfer 500 to Globex from our bank
create an invoice
thanks
blah blah
unpaid expenses
whom do we owe money
send invoice 1 to globex
mark invoice 2 as paid
statement of Globx
invoices of Gobex
`
  .trim()
  .split('\n')

test('talk', async () => {
  const { amy } = await companionBooks()
  let out = ''
  for (const sentence of sentences) {
    const { say } = conversation(builtInAssistant, amy, {
      waits: (tool) => ['invoices_send', 'invoices_mark_paid'].includes(tool),
      today: '2026-11-17',
    })
    try {
      const said = await say(sentence)
      out += `\n>>> ${sentence}\n${plainText(said.text)}\n    [${said.calls.map(({ tool, input, result }) => `${tool} ${JSON.stringify(input)}${result.ok ? '' : ` !${result.code} ${result.message}`}`).join(' | ')}]\n`
    } catch (error) {
      out += `\n>>> ${sentence}\n!!! ${(error as Error).stack}\n`
    }
  }
  writeFileSync('/tmp/answers-talk.txt', out)
}, 120_000)
