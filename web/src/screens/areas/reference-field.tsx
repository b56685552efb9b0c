import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { type Name, read } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Combo } from '../../ui/forms/combo.tsx'
import { Select } from '../../ui/forms/select.tsx'
import type { SchemaValue } from '../../ui/schema/schema-form.tsx'
import type { Row } from '../../ui/values/values.tsx'
import { useWords } from '../../words.ts'
import { FileField } from './receipts/file-field.tsx'
import { areaWords } from './words.ts'

type Reference = {
  list: Name
  rows: string
  called: string
  /** Reads one of them, whose name is shown when the list that is read does not have it. */
  get?: Name
  /** All are read at once, and looked through here. */
  whole?: boolean
}

const customers: Reference = { list: 'customers_list', get: 'customers_get', rows: 'customers', called: 'displayName' }
const suppliers: Reference = { list: 'suppliers_list', get: 'suppliers_get', rows: 'suppliers', called: 'displayName' }
const items: Reference = { list: 'logistics_items_list', get: 'logistics_items_get', rows: 'items', called: 'name' }
const employees: Reference = {
  list: 'payroll_employees_list',
  get: 'payroll_employees_get',
  rows: 'employees',
  called: 'name',
}
const expenses: Reference = { list: 'expenses_list', get: 'expenses_get', rows: 'expenses', called: 'description' }
const categories: Reference = { list: 'expense_categories_list', rows: 'categories', called: 'name', whole: true }

/** Fields that name a record of another area: what is listed to choose from, and how a record is called. */
const references: Record<string, Reference> = {
  customerId: customers,
  supplierId: suppliers,
  itemId: items,
  employeeId: employees,
  employeeIds: employees,
  counterpartyId: employees,
  payslipIds: { list: 'payroll_payslips_list', rows: 'payslips', called: 'employeeName', whole: true },
  claimDocumentIds: expenses,
  connectionId: { list: 'integrations_email_settings', rows: 'connections', called: 'name', whole: true },
  categoryId: categories,
  defaultCategoryId: categories,
  bankAccountId: { list: 'bank_accounts_list', rows: 'bankAccounts', called: 'accountName', whole: true },
  accountId: { list: 'reports_accounts', rows: 'accounts', called: 'name', whole: true },
}

type Picks = Record<string, { of: string; id?: string }>

/**
 * For SchemaForm: a field with the id of another record becomes one that finds the record as one types, a part of the record that
 * the form is about is chosen from its parts, and a file from the machine.
 */
export const renderReference =
  (about: Row, picks: Picks = {}) =>
  (each: SchemaValue, usual: () => ReactNode): ReactNode => {
    if (each.control === 'list') return usual()
    if (each.name === 'file' && each.control === 'object') return <FileField each={each} />
    const pick = picks[each.name] ?? (each.name === 'lineId' ? { of: 'lines' } : undefined)
    const parts = pick && about[pick.of]
    if (pick && Array.isArray(parts))
      return <PartField each={each} parts={parts} id={pick.id ?? 'id'} currency={String(about.currency ?? '')} />
    return references[each.name] ? <ReferenceField each={each} /> : usual()
  }

type PartProps = { each: SchemaValue; parts: readonly Row[]; id: string; currency: string }

/** One of the parts of a record, such as a line of an order or a credit of an expense. What was voided is left out. */
const PartField = ({ each, parts, id, currency }: PartProps) => (
  <Select
    value={typeof each.value === 'string' ? each.value : null}
    options={parts
      .filter(({ voidedAt }) => !voidedAt)
      .map((part) => ({ value: String(part[id]), label: partName(part, currency) }))}
    onChange={each.onChange}
  />
)

function partName(part: Row, currency: string): string {
  const named = part.description ?? part.fileName ?? (part.customer as Row | null | undefined)?.name
  if (typeof named === 'string') return named
  return [part.documentNumber ?? part.invoiceNumber, part.date, part.amount, part.amount !== undefined && currency]
    .filter(Boolean)
    .join(' · ')
}

function ReferenceField({ each }: { each: SchemaValue }) {
  const say = useWords(areaWords)
  const { id: organizationId } = useOrganization()
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const reference = references[each.name] as Reference
  const { list, rows, called, whole = false } = reference
  const input = { organizationId, ...(!whole && { search, limit: 8 }) }
  const { data } = useQuery({ ...read(list, input as never), placeholderData: keepPreviousData })
  const found = ((data as Row | undefined)?.[rows] as Row[] | undefined) ?? []
  const all = found.map((row) => ({ id: String(row.id), name: String(row[called]) }))
  const id = typeof each.value === 'string' ? each.value : ''
  const listed = all.find((choice) => choice.id === id)
  const name = useNameOf(reference, listed || !data ? '' : id)
  return (
    <Combo
      value={id ? (listed ?? { id, name }) : null}
      items={whole ? all.filter((choice) => contains(choice.name, search)) : all}
      onSearch={setText}
      onPick={(choice) => each.onChange(choice.id)}
      onClear={each.required ? undefined : () => each.onChange(undefined)}
      placeholder={say.pick}
      empty={say.nobody}
    />
  )
}

const contains = (name: string, search: string) => name.toLocaleLowerCase().includes(search.toLocaleLowerCase())

/** The name of a record that is not among those listed. */
function useNameOf({ get, called }: Reference, id: string): string {
  const { data } = useQuery({ ...read((get ?? 'customers_get') as Name, { id } as never), enabled: !!get && id !== '' })
  return String((data as Row | undefined)?.[called] ?? '')
}
