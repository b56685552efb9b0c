import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Name, read } from '../../api.ts'
import { operations } from '../../contract.ts'
import { useOrganization } from '../../session.ts'
import { useLanguage, useWords, words } from '../../words.ts'
import { Combo } from '../forms/combo.tsx'
import { Field } from '../forms/field.tsx'
import { Select } from '../forms/select.tsx'
import { actionName } from '../schema/operation-names.ts'

// What the record of all changes can be narrowed by, besides days.

const said = words(
  {
    anybody: 'Anybody',
    left: 'Somebody who left',
    find: 'Documents, customers, keys…',
    nothing: 'Nothing is called that',
  },
  { anybody: 'כולם', left: 'מי שעזב', find: 'מסמכים, לקוחות, מפתחות…', nothing: 'אין דבר בשם הזה' },
)

type AuditFieldProps = {
  kind: 'person' | 'operation'
  label: string
  value: string
  onPick: (value: string | undefined) => void
}

export const AuditField = ({ kind, ...props }: AuditFieldProps) =>
  kind === 'person' ? <PersonField {...props} /> : <OperationField {...props} />

type FieldProps = Omit<AuditFieldProps, 'kind'>

function PersonField({ label, value, onPick }: FieldProps) {
  const say = useWords(said)
  const people = usePeople()
  const chosen = usePersonName(value)
  const isOther = value !== '' && people.length > 0 && people.every(({ id }) => id !== value)
  const options = [
    { value: 'any', label: say.anybody },
    ...people.map(({ id, name }) => ({ value: id, label: name })),
    ...(isOther ? [{ value, label: chosen }] : []),
  ]
  return (
    <Field label={label}>
      <Select value={value || 'any'} options={options} onChange={(next) => onPick(next === 'any' ? undefined : next)} />
    </Field>
  )
}

function OperationField({ label, value, onPick }: FieldProps) {
  const say = useWords(said)
  const lang = useLanguage()
  const [typed, setTyped] = useState('')
  const all = changes.map((name) => ({ id: name as string, name: actionName(lang, name) }))
  const wanted = typed.trim().toLocaleLowerCase(lang)
  const shown = all.filter(({ name }) => name.toLocaleLowerCase(lang).includes(wanted))
  return (
    <Field label={label}>
      <Combo
        value={value ? { id: value, name: actionName(lang, value) } : null}
        items={shown.slice(0, shownAtMost)}
        onSearch={setTyped}
        onPick={({ id }) => onPick(id)}
        onClear={() => onPick(undefined)}
        placeholder={say.find}
        empty={say.nothing}
      />
    </Field>
  )
}

const shownAtMost = 12
/** What only reads is not recorded. */
const changes = (Object.keys(operations) as Name[]).filter((name) => !operations[name].at.startsWith('GET '))

/** The value of a filter as people say it. */
export function AuditValue({ kind, value }: { kind: 'person' | 'operation' | 'thing'; value: string }) {
  const lang = useLanguage()
  if (kind === 'operation') return actionName(lang, value)
  return kind === 'person' ? <PersonName id={value} /> : <ThingName id={value} />
}

const PersonName = ({ id }: { id: string }) => <bdi>{usePersonName(id)}</bdi>

/** The name of a member; of somebody who is none any more, their newest entry knows it. */
function usePersonName(id: string): string {
  const say = useWords(said)
  const { id: organizationId } = useOrganization()
  const people = usePeople()
  const found = people.find((each) => each.id === id)
  const hasLeft = id !== '' && people.length > 0 && !found
  const { data } = useQuery({
    ...read('organizations_audit', { organizationId, userId: id, limit: 1 }),
    enabled: hasLeft,
  })
  if (found || !hasLeft) return found?.name ?? '…'
  return data ? (data.entries[0]?.user?.name ?? say.left) : '…'
}

/** The newest entry about a thing knows its name. */
function ThingName({ id }: { id: string }) {
  const { id: organizationId } = useOrganization()
  const { data } = useQuery(read('organizations_audit', { organizationId, objectId: id, limit: 1 }))
  return <bdi>{data ? (data.entries[0]?.object?.name ?? id) : '…'}</bdi>
}

function usePeople() {
  const { id } = useOrganization()
  const { data } = useQuery(read('users_members', { id }))
  return (data?.members ?? []).map(({ userId, name }) => ({ id: userId, name }))
}
