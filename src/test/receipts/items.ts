import { pair } from './elements.ts'
import type { Paper } from './paper.ts'
import { daysAfter } from './print.ts'
import type { SaleLine } from './sale.ts'
import type { Block, Element } from './types.ts'

/** What was bought, in one of the forms that tills and invoices print. Notes the columns as `item.<column>`. */
export function itemElements({ as = 'one-line', of = [], ...block }: Block, paper: Paper): Element[] {
  if (as === 'table') return [tableOf(of, block, paper)]
  const form = forms[as]
  if (!form) throw new Error(`There is no form ${as} of items.`)
  for (const column of form.columns) paper.printed.add(`item.${column}`)
  return paper.sale.lines.flatMap((line, at) => form.elements(line, paper, at))
}

type Form = { columns: string[]; elements(line: SaleLine, paper: Paper, at: number): Element[] }

const start = (text: string): Element => ({ kind: 'text', text, align: 'start' })
const times = ({ quantity, unitPrice }: SaleLine, { money }: Paper, sign = 'x') =>
  `${quantity} ${sign} ${money.line(unitPrice)}`

const forms: Record<string, Form> = {
  'one-line': {
    columns: ['quantity'],
    elements: (line, { money }) => [
      pair(
        line.quantity === '1' ? line.description : `${line.quantity} ${line.description}`,
        money.line(line.amount),
        'ends',
      ),
    ],
  },
  'quantity-first': {
    columns: ['quantity'],
    elements: (line, { money }) => [pair(`${line.quantity}  ${line.description}`, money.line(line.amount), 'ends')],
  },
  'two-line': {
    columns: ['quantity', 'price'],
    elements: (line, paper) => [
      start(line.description),
      pair(`  ${times(line, paper)}`, paper.money.line(line.amount), 'ends'),
    ],
  },
  'code-line': {
    columns: ['quantity', 'price'],
    elements: (line, paper) =>
      line.quantity === '1'
        ? [pair(`${line.code.slice(0, 7)} ${line.description}`, paper.money.line(line.amount), 'ends')]
        : [
            start(`${line.code.slice(0, 7)} ${line.description}`),
            pair(`   ${times(line, paper, '@')}`, paper.money.line(line.amount), 'ends'),
          ],
  },
  flagged: {
    columns: ['quantity'],
    elements: (line, { money, script }) => {
      const flag = line.rate === 0 ? (script === 'he' ? 'פ' : 'Z') : script === 'he' ? 'ח' : 'S'
      const label = line.quantity === '1' ? line.description : `${line.quantity} ${line.description}`
      return [pair(label, `${money.line(line.amount)} ${flag}`, 'ends')]
    },
  },
  numbered: {
    columns: ['quantity', 'price'],
    elements: (line, paper, at) => [
      start(`${at + 1}. ${line.description}`),
      pair(`    ${times(line, paper, 'X')}`, paper.money.line(line.amount), 'ends'),
    ],
  },
  litres: {
    columns: ['quantity', 'price'],
    elements: (line, paper) => {
      const [volume, each] = {
        he: ['ליטרים', 'מחיר לליטר'],
        en: paper.country === 'US' ? ['Gallons', 'Price/gal'] : ['Litres', 'Price/L'],
      }[paper.script]
      return [
        start(line.description),
        pair(volume ?? '', line.quantity, 'ends'),
        pair(each ?? '', paper.money.line(line.unitPrice), 'ends'),
      ]
    },
  },
  hours: {
    columns: ['quantity', 'price'],
    elements: (line, paper) => [
      start(line.description),
      pair(
        `${line.quantity} ${paper.script === 'he' ? 'שעות' : 'hours'} x ${paper.money.line(line.unitPrice)}`,
        paper.money.line(line.amount),
        'ends',
      ),
    ],
  },
}

function tableOf(of: string[], { border = 'none', fill, pad = 0 }: Omit<Block, 'as' | 'of'>, paper: Paper): Element {
  for (const column of of) paper.printed.add(`item.${column}`)
  const cell = (line: SaleLine, column: string, at: number): string => {
    const { money, day, date, sale } = paper
    if (column === 'itemNumber') return String(at + 1)
    if (column === 'day') return day(daysAfter(date, Math.min(0, at - sale.lines.length + 1)))
    if (column === 'price') return money.line(line.unitPrice)
    if (column === 'amount') return money.line(line.amount)
    return { code: line.code.slice(0, 7), description: line.description, quantity: line.quantity }[column] ?? ''
  }
  const rows = paper.sale.lines.map((line, at) => of.map((column) => cell(line, column, at)))
  while (rows.length < pad) rows.push(of.map(() => ' '))
  const columns = of.map((column) => ({
    title: paper.say(column),
    align:
      column === 'description' || column === 'code' || column === 'day'
        ? 'start'
        : column === 'itemNumber'
          ? 'center'
          : 'end',
    wide: column === 'description',
  }))
  return { kind: 'table', columns, rows, border, ...(fill && { fill }) }
}
