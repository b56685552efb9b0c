import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { type Name, read } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Combo } from '../../ui/combo.tsx'
import type { SchemaValue } from '../../ui/schema-form.tsx'
import { Select } from '../../ui/select.tsx'
import type { Row } from '../../ui/values.tsx'
import { useWords } from '../../words.ts'
import { FileField } from './file-field.tsx'
import { areaWords } from './words.ts'

/** Fields that name a record of another area: what is listed to choose from, and how a record is called. */
const references: Record<string, { list: Name; rows: string; called: string; whole?: boolean }> = {
  customerId: { list: 'customers_list', rows: 'customers', called: 'displayName' },
  supplierId: { list: 'suppliers_list', rows: 'suppliers', called: 'displayName' },
  itemId: { list: 'logistics_items_list', rows: 'items', called: 'name' },
  employeeId: { list: 'payroll_employees_list', rows: 'employees', called: 'name' },
  employeeIds: { list: 'payroll_employees_list', rows: 'employees', called: 'name' },
  counterpartyId: { list: 'payroll_employees_list', rows: 'employees', called: 'name' },
  payslipIds: { list: 'payroll_payslips_list', rows: 'payslips', called: 'employeeName', whole: true },
  claimDocumentIds: { list: 'expenses_list', rows: 'expenses', called: 'description' },
  connectionId: { list: 'integrations_email_settings', rows: 'connections', called: 'name', whole: true },
  categoryId: { list: 'expense_categories_list', rows: 'categories', called: 'name', whole: true },
  defaultCategoryId: { list: 'expense_categories_list', rows: 'categories', called: 'name', whole: true },
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
  const { id } = useOrganization()
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const { list, rows, called, whole = false } = references[each.name] as (typeof references)[string]
  const input = { organizationId: id, ...(!whole && { search, limit: 8 }) }
  const { data } = useQuery({ ...read(list, input as never), placeholderData: keepPreviousData })
  const found = ((data as Row | undefined)?.[rows] as Row[] | undefined) ?? []
  const choices = found
    .map((row) => ({ id: String(row.id), name: String(row[called]) }))
    .filter(({ name }) => !whole || name.toLocaleLowerCase().includes(search.toLocaleLowerCase()))
  const value = choices.find((choice) => choice.id === each.value) ?? null
  return (
    <Combo
      key={data && value ? 'known' : 'open'}
      value={value}
      items={choices}
      onSearch={setText}
      onPick={(choice) => each.onChange(choice.id)}
      placeholder={say.pick}
      empty={say.nobody}
    />
  )
}
