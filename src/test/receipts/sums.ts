import { pair, styleOf } from './elements.ts'
import type { Paper } from './paper.ts'
import type { Block, Element } from './types.ts'

/** Subtotal, tax, total and what lies between; what is zero is not printed. `size` and `bold` are of the total. */
export function sumElements({ as = 'ends', of = [], wide, ...block }: Block, paper: Paper): Element[] {
  const rows = of.flatMap((key) => {
    const row = rowOf(key, paper)
    if (row) paper.printed.add(key)
    return row ? [{ ...row, isTotal: key === 'total' }] : []
  })
  if (as === 'hero') return rows.flatMap(({ value }) => heroOf(value, paper, block))
  const style = as === 'boxed' ? 'ends' : as
  const pairs = rows.map(({ label, value, isTotal }) =>
    pair(label, value, style, isTotal ? { ...block, do: '' } : undefined),
  )
  return as === 'boxed' ? [{ kind: 'box', body: pairs, half: !wide }] : pairs
}

/** The total large, with its label above it. */
const heroOf = (value: string, paper: Paper, block: Block): Element[] => [
  { kind: 'text', text: paper.sale.method ? paper.say('paidTotal') : paper.say('total'), align: 'start' },
  { kind: 'text', text: value, align: 'start', ...styleOf(block), bold: true },
]

function rowOf(
  key: string,
  { sale, money, say, taxLabel, printed }: Paper,
): { label: string; value: string } | undefined {
  const row = (amount: number, label: string) => (amount === 0 ? undefined : { label, value: money.line(amount) })
  const isChanged = sale.discount !== 0 || sale.service !== 0
  switch (key) {
    case 'subtotal':
      // Prices that include the tax, or that a discount changes, do not add up to the amount before tax.
      return row(sale.sum, say(sale.isIncluded || isChanged || sale.tax === 0 ? 'subtotal' : 'beforeTax'))
    case 'discount':
      return row(-sale.discount, say('discount'))
    case 'service':
      return row(sale.service, `${say('service')} 10%`)
    case 'net':
      return sale.tax !== 0 && (sale.isIncluded || isChanged) ? row(sale.net, say('net')) : undefined
    case 'tax':
      return row(sale.tax, taxLabel)
    case 'tip':
      return row(sale.tip, say('tip'))
    case 'rounding':
      return row(sale.rounding, say('rounding'))
    case 'total':
      printed.add('total')
      return { label: say('total'), value: money.sum(sale.total) }
    default:
      throw new Error(`There is no sum ${key}.`)
  }
}

/** Net and tax of each rate. */
export function taxTable(_: Block, { sale, say, money, printed }: Paper): Element[] {
  if (sale.tax === 0) return []
  printed.add('tax').add('rate')
  const columns = [
    { title: say('taxSummary'), align: 'start', wide: true },
    { title: say('amount'), align: 'end', wide: false },
    { title: say('rate'), align: 'end', wide: false },
  ]
  const rows = sale.taxes.map(({ rate, net, tax }) => [`${rate}%`, money.line(net), money.line(tax)])
  return [{ kind: 'table', columns, rows, border: 'none' }]
}
