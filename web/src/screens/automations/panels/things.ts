import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../api.ts'
import type { Choice } from '../../../ui/forms/combo.tsx'

/** Things that a field names by id, and how they are found and called. */
type Thing = {
  find: (organizationId: string, search: string) => Promise<Choice[]>
  name: (organizationId: string, id: string) => Promise<string>
}

const named = (id: string, name: string | null | undefined): Choice => ({ id, name: name || id })
const limit = 20

const inList = (all: readonly Choice[], id: string) => all.find((each) => each.id === id)?.name ?? id
const fits = (search: string) => (each: Choice) => each.name.toLowerCase().includes(search.toLowerCase())

const bankAccounts = async (organizationId: string) =>
  (await call('bank_accounts_list', { organizationId })).bankAccounts.map(({ id, accountName }) =>
    named(id, accountName),
  )
const categories = async (organizationId: string) =>
  (await call('expense_categories_list', { organizationId })).categories.map(({ id, name }) => named(id, name))
const mailboxes = async (organizationId: string) => {
  const answer = await call('integrations_email_settings', { organizationId })
  return answer && 'connections' in answer ? answer.connections.map(({ id, name }) => named(id, name)) : []
}

const things: Record<string, Thing> = {
  customer: {
    find: async (organizationId, search) =>
      (await call('customers_list', { organizationId, search, limit })).customers.map(({ id, name }) =>
        named(id, name),
      ),
    name: async (_, id) => (await call('customers_get', { id })).name ?? id,
  },
  supplier: {
    find: async (organizationId, search) =>
      (await call('suppliers_list', { organizationId, search, limit })).suppliers.map(({ id, name }) =>
        named(id, name),
      ),
    name: async (_, id) => (await call('suppliers_get', { id })).name ?? id,
  },
  document: {
    find: async (organizationId, search) =>
      (await call('invoices_list', { organizationId, search, limit })).invoices.map((each) =>
        named(each.id, [each.invoiceNumber, each.customer?.name].filter(Boolean).join(' · ')),
      ),
    name: async (_, id) => (await call('invoices_get', { id })).invoiceNumber ?? id,
  },
  item: {
    find: async (organizationId, search) =>
      (await call('logistics_items_list', { organizationId, search, limit })).items.map(({ id, name }) =>
        named(id, name),
      ),
    name: async (_, id) => (await call('logistics_items_get', { id })).name,
  },
  bankAccount: {
    find: async (organizationId, search) => (await bankAccounts(organizationId)).filter(fits(search)),
    name: async (organizationId, id) => inList(await bankAccounts(organizationId), id),
  },
  category: {
    find: async (organizationId, search) => (await categories(organizationId)).filter(fits(search)),
    name: async (organizationId, id) => inList(await categories(organizationId), id),
  },
  mailbox: {
    find: async (organizationId, search) => (await mailboxes(organizationId)).filter(fits(search)),
    name: async (organizationId, id) => inList(await mailboxes(organizationId), id),
  },
}
export type ThingName = keyof typeof things

const byField: Record<string, ThingName> = {
  customerId: 'customer',
  supplierId: 'supplier',
  documentId: 'document',
  invoiceId: 'document',
  itemId: 'item',
  bankAccountId: 'bankAccount',
  categoryId: 'category',
  connectionId: 'mailbox',
}
const byFeature: Record<string, ThingName> = { invoices: 'document', customers: 'customer', suppliers: 'supplier' }

/** What a field of an action names: `customerId` a customer, the `id` of invoices_send a document. */
export const thingOf = (field: string, ref: string | null): ThingName | undefined =>
  field === 'id' ? byFeature[ref?.split(/[._]/)[0] ?? ''] : byField[field]

export function useFoundThings(thing: ThingName, organizationId: string, search: string) {
  const { data = [] } = useQuery({
    queryKey: ['things', thing, organizationId, search],
    queryFn: async () => (await things[thing]?.find(organizationId, search)) ?? [],
    placeholderData: keepPreviousData,
  })
  return data
}

/** The name of what an id stands for; the id itself where it is gone. */
export function useThingName(thing: ThingName, organizationId: string, id: string) {
  const { data, isPending } = useQuery({
    queryKey: ['thing', thing, id],
    queryFn: async () => (await things[thing]?.name(organizationId, id).catch(() => id)) ?? id,
    enabled: id !== '',
  })
  return id !== '' && isPending ? undefined : (data ?? '')
}
