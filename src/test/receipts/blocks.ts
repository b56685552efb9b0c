import { vocabulary } from './data.ts'
import { pair, styleOf } from './elements.ts'
import { itemElements } from './items.ts'
import type { Paper } from './paper.ts'
import { sumElements, taxTable } from './sums.ts'
import type { Block, Element } from './types.ts'

/** The elements that the template draws for a block of a layout. Notes in `paper.printed` what they print. */
export function elementsOf(given: Block | string, paper: Paper): Element[] {
  const block = typeof given === 'string' ? { do: given } : given
  const build = builders[block.do]
  if (!build) throw new Error(`There is no block ${block.do}.`)
  paper.printed.add(block.do)
  return build(block, paper)
}

type Build = (block: Block, paper: Paper) => Element[]

const text = (body: string, block: Block): Element => ({ kind: 'text', text: body, ...styleOf(block) })
const within = (block: Block, paper: Paper) =>
  (block.body ?? []).map((column) => column.flatMap((each) => elementsOf(each, paper)))

const builders: Record<string, Build> = {
  name: (block, { vendor }) => [text(block.upper ? vendor.name.toUpperCase() : vendor.name, block)],
  trade: (block, { vendor }) => [text(vendor.trade, block)],
  address: (block, { vendor }) => vendor.address.map((line) => text(line, block)),
  phone: (block, { vendor, say }) => [text(`${say('phone')} ${vendor.phone}`, block)],
  taxNumber: (block, { vendor, country, script, chance }) => {
    const label = chance.pick(vocabulary.taxNumber[script === 'he' ? 'he' : country] ?? [])
    return [text(`${label} ${vendor.taxNumber}`, block)]
  },
  title: (block, paper) => {
    const title = paper.chance.pick(vocabulary[paper.script].title[paper.layout.title])
    if (block.number) paper.printed.add('number')
    return [text(block.number ? `${title} ${paper.number}` : title, block)]
  },
  rule: ({ as = 'hyphens' }) => [{ kind: 'rule', as }],
  space: () => [{ kind: 'space' }],
  logo: ({ as = 'circle', ...block }, { vendor }) => [
    { kind: 'logo', as, text: vendor.trade.slice(0, 1), ...styleOf({ ...block }) },
  ],
  barcode: (_, { chance }) => [{ kind: 'space' }, { kind: 'barcode', text: chance.digits(12) }],
  thanks: (block, { chance, script }) => [text(chance.pick(vocabulary[script].thanks ?? []), block)],
  terms: (_, { chance, script }) => [
    text(chance.pick(vocabulary[script].terms ?? []), { do: 'terms', align: 'start', size: 0.9 }),
  ],
  customer: (_, paper) => {
    const start = { do: 'customer', align: 'start' } as const
    return [
      text(`${paper.say('billTo')}:`, { ...start, size: 0.9 }),
      text(paper.say('customers'), { ...start, bold: true }),
    ]
  },
  bank: (_, { say, chance }) => [
    text(`${say('bank')}: ${chance.digits(3)}-${chance.digits(6)}`, { do: 'bank', align: 'start' }),
  ],
  details: detailElements,
  items: itemElements,
  sums: sumElements,
  taxTable,
  count: (_, { sale, say }) => [pair(say('itemCount'), String(sale.lines.length), 'ends')],
  points: (_, { sale, say }) => [pair(say('points'), String(Math.round(sale.total / 100)), 'ends')],
  suggested: (_, { sale, say, money }) =>
    [15, 18, 20].map((share) =>
      text(`${say('suggested')} ${share}%: ${money.line(Math.round((sale.sum * share) / 100))}`, { do: '', size: 0.9 }),
    ),
  paid: paidElements,
  cardSlip: (_, { say, chance, printed }) => {
    printed.add('paid')
    return [
      pair(say('card'), `${say('CARD')} ****${chance.digits(4)}`, 'ends'),
      pair(say('approval'), chance.digits(6), 'ends'),
    ]
  },
  received: (_, { say, money, sale }) => [
    pair(say('receivedFrom'), say('customers'), 'columns'),
    pair(say('sumOf'), money.sum(sale.total), 'columns'),
    pair(say('for'), sale.lines[0]?.description ?? '', 'columns'),
  ],
  columns: (block, paper) => [{ kind: 'columns', body: within(block, paper), widths: block.widths ?? [1, 1] }],
  band: (block, paper) => [{ kind: 'band', body: within(block, paper) }],
  box: (block, paper) => [{ kind: 'box', body: within(block, paper).flat(), ...(block.fill && { fill: true }) }],
}

function detailElements({ as = 'ends', of = [], ...block }: Block, { details, say, printed }: Paper): Element[] {
  for (const key of of) printed.add(key)
  const value = (key: string) => details[key] ?? ''
  if (as === 'bare') return [text(of.map(value).join('  '), { ...block, do: '' })]
  if (as === 'inline') return [text(of.map((key) => `${say(key)}: ${value(key)}`).join('   '), { ...block, do: '' })]
  if (as === 'table') {
    const columns = of.map((key) => ({ title: say(key), align: 'center', wide: true }))
    return [{ kind: 'table', columns, rows: [of.map(value)], border: 'grid', fill: true }]
  }
  return of.map((key) => pair(say(key), value(key), as, { ...block, do: '' }))
}

/** Cash with the change, or the name of the card or another means. */
function paidElements(_: Block, { sale, say, money, layout, chance }: Paper): Element[] {
  const as = layout.paper.height ? 'ends' : (lastSums(layout.blocks) ?? 'ends')
  if (sale.method === null) return []
  if (sale.method === 'CASH')
    return [pair(say('cash'), money.line(sale.cash), as), pair(say('change'), money.line(sale.cash - sale.total), as)]
  if (layout.paper.height || sale.method === 'BANK_TRANSFER')
    return [text(`${say('paidBy')}: ${say(sale.method)}`, { do: 'paid', align: 'start' })]
  return [
    pair(
      chance.happens(0.5) ? say(sale.method) : `${say(sale.method)} ****${chance.digits(4)}`,
      money.line(sale.total),
      as,
    ),
  ]
}

/** Cash and change are printed like the sums above them. */
function lastSums(blocks: readonly (Block | string)[]): string | undefined {
  const sums = blocks.filter((each): each is Block => typeof each !== 'string' && each.do === 'sums')
  const as = sums.at(-1)?.as
  return as === 'boxed' || as === 'hero' ? 'ends' : as
}
