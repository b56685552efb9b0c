import type { Random } from '../bank/random.ts'

/**
 * The graphs of the walk. Every effect carries a mark that names the automation, its block, the version of the graph, the
 * event and the element of the list, so that the effects themselves can be counted.
 */

type Role = 'TRIGGER' | 'FIND' | 'READ' | 'CUSTOMER' | 'INVOICE' | 'WEBHOOK' | 'MAIL'
export type Piece = { id: string; role: Role; perElement?: boolean }
export type Arrow = { from: string; to: string; mode?: 'ONCE' | 'FOR_EACH'; each?: string; cond?: object }
export type Sketch = {
  letter: string
  on: string
  version: number
  pieces: Piece[]
  arrows: Arrow[]
  /** The customers that FIND finds. */
  names: string[]
  /** Whether new customers get no country, so that the step fails. */
  isBroken: boolean
}

export const seeds = ['Seed 1', 'Seed 2', 'Seed 3', 'Seed 4']
/** What automations create is called so, and starts nothing. */
export const madePrefix = 'made;'
const ifNotMade = { not: { left: '{{trigger.name}}', op: 'contains', right: madePrefix } }

const sketch = (letter: string, on: string, pieces: Piece[], arrows: Arrow[]): Sketch => ({
  letter,
  on,
  version: 1,
  pieces: [{ id: 'start', role: 'TRIGGER' }, ...pieces],
  arrows,
  names: seeds.slice(0, 3),
  isBroken: false,
})

/** A chain with branches, lists from a filter and from inside an output, a block that two branches lead to, and a plain chain. */
export const sketches = (): Sketch[] => [
  sketch(
    'A',
    'customer.created',
    [
      { id: 'make', role: 'CUSTOMER' },
      { id: 'hook', role: 'WEBHOOK' },
      { id: 'bill', role: 'INVOICE' },
    ],
    [
      { from: 'start', to: 'make', cond: ifNotMade },
      { from: 'make', to: 'hook' },
      { from: 'start', to: 'bill', cond: ifNotMade },
    ],
  ),
  sketch(
    'B',
    'customer.created',
    [
      { id: 'find', role: 'FIND' },
      { id: 'each', role: 'CUSTOMER', perElement: true },
      { id: 'tell', role: 'WEBHOOK', perElement: true },
    ],
    [
      { from: 'start', to: 'find', cond: ifNotMade },
      { from: 'find', to: 'each', mode: 'FOR_EACH' },
      { from: 'each', to: 'tell', mode: 'FOR_EACH' },
    ],
  ),
  sketch(
    'C',
    'invoice.issued',
    [
      { id: 'read', role: 'READ' },
      { id: 'line', role: 'CUSTOMER', perElement: true },
    ],
    [
      { from: 'start', to: 'read' },
      { from: 'read', to: 'line', mode: 'FOR_EACH', each: 'items' },
    ],
  ),
  sketch(
    'D',
    'invoice.paid',
    [
      { id: 'mail', role: 'MAIL' },
      { id: 'hook', role: 'WEBHOOK' },
      { id: 'join', role: 'CUSTOMER' },
    ],
    [
      { from: 'start', to: 'mail' },
      { from: 'start', to: 'hook' },
      { from: 'mail', to: 'join', cond: { left: '{{trigger.total}}', op: 'gt', right: 0 } },
      { from: 'hook', to: 'join' },
    ],
  ),
  sketch(
    'E',
    'customer.updated',
    [
      { id: 'hook', role: 'WEBHOOK' },
      { id: 'make', role: 'CUSTOMER' },
      { id: 'mail', role: 'MAIL' },
    ],
    [
      { from: 'start', to: 'hook' },
      { from: 'hook', to: 'make' },
      { from: 'make', to: 'mail' },
    ],
  ),
]

const markOf = (letter: string, { id, perElement }: Piece, version: number) =>
  `${letter};${id};${version};{{trigger.id}};{{trigger.name}};${perElement ? '{{item.id}}' : ''}`

export type Targets = { url: string; address: string }

/** The graph as the API takes it. */
export function graphOf(of: Sketch, targets: Targets) {
  const blocks = of.pieces.map((piece) => ({ id: piece.id, ...blockOf(of, piece, targets) }))
  const edges = of.arrows.map(({ from, to, mode = 'ONCE', cond = null, each }, order) => {
    const listPath = each === undefined ? {} : { each }
    return { id: `${from}-${to}`, fromBlockId: from, toBlockId: to, mode, cond, order, ...listPath }
  })
  return { blocks, edges }
}

function blockOf(of: Sketch, piece: Piece, { url, address }: Targets) {
  const mark = markOf(of.letter, piece, of.version)
  const act = (ref: string, input: object) => ({ kind: 'ACTION', ref, config: { input } })
  switch (piece.role) {
    case 'TRIGGER':
      return { kind: 'TRIGGER', ref: of.on }
    case 'FIND':
      return { kind: 'FILTER', config: { spec: found(of.names) } }
    case 'READ':
      return act('invoices_get', { id: '{{trigger.id}}' })
    case 'CUSTOMER':
      return act('customers_create', { name: `${madePrefix}${mark}`, country: of.isBroken ? '' : 'SG' })
    case 'INVOICE':
      return act('invoices_create', { ...invoiceFor('{{trigger.id}}'), notes: `${madePrefix}${mark}` })
    case 'WEBHOOK':
      return act('webhook.post', { url, body: { mark, made: madeBefore(of, piece) } })
    case 'MAIL':
      return act('email.send', { to: address, subject: 'Walk', body: `mark|${mark}|` })
  }
}

const found = (names: string[]) => ({
  root: 'Customer',
  predicates: [{ object: 'Customer', field: 'name', op: 'in', value: names }],
  extract: [{ as: 'id', path: 'Customer.id' }],
})

/** What the block before created, as a text. */
function madeBefore({ arrows, pieces }: Sketch, { id }: Piece): string {
  const source = arrows.find(({ to }) => to === id)?.from
  const isCustomer = pieces.some((piece) => piece.id === source && piece.role === 'CUSTOMER' && !piece.perElement)
  return isCustomer ? `{{blocks.${source}.id}}` : ''
}

export const invoiceFor = (customerId: string) => ({
  customerId,
  status: 'SENT',
  currency: 'SGD',
  items: ['1', '2'].map((id) => ({ id, description: 'Work', quantity: 1, unitPrice: 50, amount: 50 })),
  subtotal: 100,
  taxRate: 9,
  taxAmount: 9,
  total: 109,
})

/** How a graph is edited. Every edit is a new version, and so changes all bindings. */
export const edits = ['rebind', 'rename', 'rename', 'add', 'remove', 'reorder', 'relist', 'break', 'mend'] as const
export type Edit = (typeof edits)[number]

export function edited(of: Sketch, edit: Edit, random: Random): Sketch {
  const next: Sketch = { ...structuredClone(of), version: of.version + 1 }
  const acting = next.pieces.filter(({ role }) => role !== 'TRIGGER')
  const piece = random.pick(acting)
  switch (edit) {
    case 'rename':
      return piece ? renamed(next, piece.id, `${piece.role.toLowerCase()}${next.version}`) : next
    case 'add': {
      const added: Piece = { id: `added${next.version}`, role: random.pick(['CUSTOMER', 'WEBHOOK'] as const) ?? 'CUSTOMER' }
      const from = random.pick(next.pieces)?.id ?? 'start'
      const cond = from === 'start' && next.on === 'customer.created' ? { cond: ifNotMade } : {}
      return { ...next, pieces: [...next.pieces, added], arrows: [...next.arrows, { from, to: added.id, ...cond }] }
    }
    case 'remove': {
      const last = random.pick(acting.filter(({ id }) => !next.arrows.some(({ from }) => from === id)))
      if (!last || acting.length < 2) return next
      return {
        ...next,
        pieces: next.pieces.filter(({ id }) => id !== last.id),
        arrows: next.arrows.filter(({ to }) => to !== last.id),
      }
    }
    case 'reorder':
      return { ...next, pieces: shuffled(next.pieces, random), arrows: shuffled(next.arrows, random) }
    case 'relist':
      return { ...next, names: shuffled(seeds, random).slice(0, random.between(1, 4)) }
    case 'break':
    case 'mend':
      return { ...next, isBroken: edit === 'break' }
    default:
      return next
  }
} // biome-ignore format: an edit a case

function renamed(of: Sketch, id: string, newId: string): Sketch {
  const other = (each: string) => (each === id ? newId : each)
  return {
    ...of,
    pieces: of.pieces.map((piece) => ({ ...piece, id: other(piece.id) })),
    arrows: of.arrows.map((arrow) => ({ ...arrow, from: other(arrow.from), to: other(arrow.to) })),
  }
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const rest = [...list]
  const taken: T[] = []
  while (rest.length > 0) taken.push(...rest.splice(random.below(rest.length), 1))
  return taken
}
