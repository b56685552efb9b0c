import { type Static, Type } from '../../core/define/schema.ts'
import type { Catalog } from '../../core/define/services.ts'
import { actionNamed } from './actions/action.ts'
import { Block, Edge } from './automation.ts'
import { filterCatalog } from './filters/filter.ts'

export const Template = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  blocks: Type.Array(Block),
  edges: Type.Array(Edge),
  parameters: Type.Array(Type.Object({ path: Type.String(), label: Type.String() }), {
    description: 'What to fill in before it is created; `path` says where.',
  }),
})
type Template = Static<typeof Template>

/** Templates whose events, actions and filter objects are all there: the others come with their area. */
export const templatesFor = (catalog: Catalog): Template[] =>
  all.filter(({ blocks }) => blocks.every((block) => isThere(catalog, block)))

function isThere(catalog: Catalog, { kind, ref, config }: Block): boolean {
  if (kind === 'TRIGGER') return catalog.events.some(({ type }) => type === ref)
  if (kind === 'ACTION') return actionNamed(catalog, ref) !== undefined
  const { root } = config.spec as { root: string } // as written below
  return Object.hasOwn(filterCatalog, root)
}

const trigger = (ref: string): Block => block('trigger', 'TRIGGER', ref, {}, 0)
const action = (id: string, ref: string, input: object, column = 1): Block =>
  block(id, 'ACTION', ref, { input }, column)
const filter = (id: string, spec: object): Block => block(id, 'FILTER', null, { spec }, 1)

const block = (id: string, kind: Block['kind'], ref: string | null, config: Block['config'], column: number): Block => ({
  id, kind, ref, config, position: { x: 240 * column, y: 0 },
}) // biome-ignore format: a list of words

type Guard = Pick<Edge, 'cond' | 'mode'>

/** Blocks in a row, each after the one before. */
function chain(blocks: Block[], guards: Record<string, Partial<Guard>> = {}): { blocks: Block[]; edges: Edge[] } {
  const edges = blocks.slice(1).map(({ id }, n): Edge => {
    const from = blocks[n]?.id ?? ''
    return { id: `${from}-${id}`, fromBlockId: from, toBlockId: id, cond: null, mode: 'ONCE', order: n, ...guards[id] }
  })
  return { blocks, edges }
}

export const all: Template[] = [
  {
    id: 'recurring-invoice',
    name: 'Recurring invoice',
    description: 'On the 1st of every month, copies an invoice and sends the copy to its customer.',
    ...chain([
      trigger('schedule.monthly'),
      action('copy', 'invoices_duplicate', { id: '' }),
      action('send', 'invoices_send', { id: '{{blocks.copy.id}}' }, 2),
    ]),
    parameters: [{ path: 'blocks.1.config.input.id', label: 'The id of the invoice to repeat' }],
  },
  {
    id: 'overdue-reminders',
    name: 'Overdue reminders',
    description: 'Every day, sends each invoice again that was sent and is past its due date.',
    ...chain(
      [
        trigger('schedule.daily'),
        filter('overdue', {
          root: 'Document',
          predicates: [
            { object: 'Document', field: 'status', op: 'eq', value: 'SENT' },
            { object: 'Document', field: 'direction', op: 'eq', value: 'OUTGOING' },
            { object: 'Document', field: 'dueDate', op: 'lt', value: '{{context.today}}' },
          ],
          extract: [
            { as: 'id', path: 'Document.id' },
            { as: 'invoiceNumber', path: 'Document.invoiceNumber' },
          ],
        }),
        action('remind', 'invoices_send', { id: '{{item.id}}' }, 2),
      ],
      { remind: { mode: 'FOR_EACH' } },
    ),
    parameters: [],
  },
  {
    id: 'approval-by-amount',
    name: 'Approval by amount',
    description: 'Approves an expense that was submitted, if it is small; larger ones wait for a person.',
    ...chain(
      [
        trigger('expense.submitted'),
        action('approve', 'expenses_status', { id: '{{trigger.id}}', status: 'APPROVED' }),
      ],
      { approve: { cond: { left: '{{trigger.amount}}', op: 'lte', right: 100 } } },
    ),
    parameters: [{ path: 'edges.0.cond.right', label: 'The amount up to which nobody is asked' }],
  },
  {
    id: 'monthly-inbox-scan',
    name: 'Monthly inbox scan',
    description: 'On the 1st of every month, reads the receipts that came to a mailbox.',
    ...chain([trigger('schedule.monthly'), action('poll', 'expenses_email_poll', { connectionId: '' })]),
    parameters: [{ path: 'blocks.1.config.input.connectionId', label: 'The id of the mail connection' }],
  },
  {
    id: 'paid-invoice-thanks',
    name: 'Thanks for a paid invoice',
    description: 'Writes to the customer when an invoice is paid.',
    ...chain(
      [
        trigger('invoice.paid'),
        action('customer', 'customers_get', { id: '{{trigger.customerId}}' }),
        action(
          'thank',
          'email.send',
          {
            to: '{{blocks.customer.email}}',
            subject: 'Thank you for your payment of {{trigger.invoiceNumber}}',
            body: 'Dear {{blocks.customer.displayName}},\n\nwe have received {{trigger.currency}} {{trigger.total}}. Thank you!',
          },
          2,
        ),
      ],
      { thank: { cond: { not: { left: '{{blocks.customer.email}}', op: 'empty' } } } },
    ),
    parameters: [],
  },
  {
    id: 'low-stock-order',
    name: 'Order for low stock',
    description: 'Drafts a purchase order when an item runs low.',
    ...chain([
      trigger('stock.low'),
      action('order', 'orders_create', {
        kind: 'PURCHASE',
        supplierId: '',
        lines: [{ itemId: '{{trigger.itemId}}', quantity: 10 }],
      }),
    ]),
    parameters: [
      { path: 'blocks.1.config.input.supplierId', label: 'The id of the supplier' },
      { path: 'blocks.1.config.input.lines.0.quantity', label: 'How many to order' },
    ],
  },
]
