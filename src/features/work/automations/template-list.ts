import type { Catalog } from '../../../core/define/services.ts'
import { findAction } from './actions/action.ts'
import type { Block } from './automation.ts'
import { filterCatalog } from './filters/objects.ts'
import { action, chain, filter, type Template, trigger } from './template.ts'

/** The templates whose events, actions and filter objects all exist. The others appear once their feature does. */
export const templatesFor = (catalog: Catalog): Template[] =>
  templates.filter(({ blocks }) => blocks.every((block) => isAvailable(catalog, block)))

function isAvailable(catalog: Catalog, { kind, ref, config }: Block): boolean {
  if (kind === 'TRIGGER') return catalog.events.some(({ type }) => type === ref)
  if (kind === 'ACTION') return findAction(catalog, ref) !== undefined
  const { root } = config.spec as { root: string } // every FILTER below has one
  return Object.hasOwn(filterCatalog, root)
}

export const templates: Template[] = [
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
    description: 'Every day, sends each invoice again that was sent, is past its due date and not disputed.',
    ...chain(
      [
        trigger('schedule.daily'),
        filter('overdue', {
          root: 'Document',
          predicates: [
            { object: 'Document', field: 'status', op: 'eq', value: 'SENT' },
            { object: 'Document', field: 'direction', op: 'eq', value: 'OUTGOING' },
            { object: 'Document', field: 'dueDate', op: 'lt', value: '{{context.today}}' },
            { object: 'Document', field: 'inDispute', op: 'eq', value: false },
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
    description:
      'Approves an expense that was submitted, if it is small in the currency of the organization; others wait for a person.',
    ...chain(
      [
        trigger('expense.submitted'),
        // with what was submitted, so that an expense that was changed since is not approved
        action('approve', 'expenses_status', {
          id: '{{trigger.id}}',
          status: 'APPROVED',
          expectedAmount: '{{trigger.amount}}',
          expectedCurrency: '{{trigger.currency}}',
          expectedRevision: '{{trigger.revision}}',
        }),
      ],
      // a missing homeAmount, if no rate is known, is not less than anything
      { approve: { cond: { left: '{{trigger.homeAmount}}', op: 'lte', right: 100 } } },
    ),
    parameters: [
      {
        path: 'edges.0.cond.right',
        label: 'The amount up to which no approval is needed, in the currency of the organization',
      },
    ],
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
    description: 'Drafts an order to a supplier when an item runs low, at the purchase price of the item.',
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
  {
    id: 'low-stock-notice',
    name: 'Notice of low stock',
    description: 'Writes to a person when an item runs low.',
    ...chain([
      trigger('stock.low'),
      action('tell', 'email.send', {
        to: '',
        subject: 'Low stock: {{trigger.name}}',
        body: 'Of {{trigger.name}} there are {{trigger.quantity}} left. The threshold is {{trigger.lowStockThreshold}}.',
      }),
    ]),
    parameters: [{ path: 'blocks.1.config.input.to', label: 'The e-mail address of the person' }],
  },
]
